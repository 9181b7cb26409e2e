import { inventory } from './actors/inventory.ts';
import { canvas } from './canvas.ts';
import { chat } from './chat/chat.ts';
import { chatRolls } from './chat/rolls.ts';
import { effects } from './effects.ts';
import { attributes } from './entities/attributes.ts';
import { documents } from './entities/documents.ts';
import { handingOver } from './entities/handing-over.ts';
import { concentration } from './actors/concentration.ts';
import { encounters } from './encounters/encounters.ts';
import type { OperationHandlers } from './handler.ts';
import { files } from './files/files.ts';
import { movement } from './encounters/movement.ts';
import { playlists } from './playlists/playlists.ts';
import { sounds } from './playlists/sounds.ts';
import { reading } from './reading.ts';
import { rests } from './actors/rests.ts';
import { rolls } from './actors/rolls.ts';
import { canvasDocuments } from './scenes/canvas-documents.ts';
import { scenes } from './scenes/scenes.ts';
import { tokens } from './scenes/tokens.ts';
import { folders } from './structure/folders.ts';
import { macros } from './scripts/macros.ts';
import type { QuickOperation } from './slow.ts';
import { search } from './structure/search.ts';
import { structure } from './structure/structure.ts';
import { upkeep } from './actors/upkeep.ts';
import { users } from './users.ts';
import { use } from './uses/use.ts';

/** The handler of each operation that takes one step. */
export const operationHandlers: OperationHandlers<QuickOperation> = {
  ...encounters,
  ...movement,
  ...reading,
  ...rolls,
  ...rests,
  ...concentration,
  ...inventory,
  ...use,
  ...canvas,
  ...documents,
  ...attributes,
  ...handingOver,
  ...upkeep,
  ...users,
  ...effects,
  ...search,
  ...structure,
  ...folders,
  ...chat,
  ...chatRolls,
  ...macros,
  ...files,
  ...scenes,
  ...canvasDocuments,
  ...tokens,
  ...playlists,
  ...sounds,
};
