/* oxlint-disable max-lines -- Generated from packages/contract/src/operations by `pnpm docs:generate`; a test compares it. */

import type { EncountersOperations } from './encounters.ts';
import type { Sys5eOperations } from './sys5e.ts';
import type { UtilityOperations } from './utility.ts';
import type { EntitiesOperations } from './entities.ts';
import type { StructureOperations } from './structure.ts';
import type { UsersOperations } from './users.ts';
import type { EffectsOperations } from './effects.ts';
import type { RollsOperations } from './rolls.ts';
import type { ChatOperations } from './chat.ts';
import type { MacrosOperations } from './macros.ts';
import type { FilesOperations } from './files.ts';
import type { SheetsOperations } from './sheets.ts';
import type { ScenesOperations } from './scenes.ts';
import type { CanvasOperations } from './canvas.ts';
import type { PlaylistsOperations } from './playlists.ts';

/** What each operation takes and answers, by its name on the wire. */
export interface OperationTypes
  extends EncountersOperations,
    Sys5eOperations,
    UtilityOperations,
    EntitiesOperations,
    StructureOperations,
    UsersOperations,
    EffectsOperations,
    RollsOperations,
    ChatOperations,
    MacrosOperations,
    FilesOperations,
    SheetsOperations,
    ScenesOperations,
    CanvasOperations,
    PlaylistsOperations {}

/** The parameters of an operation by the names that a module reads. */
export type WireParameters<N extends keyof OperationTypes> = OperationTypes[N] extends { wire: infer W }
  ? W
  : OperationTypes[N]['parameters'];
