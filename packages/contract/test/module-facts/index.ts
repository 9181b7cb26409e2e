import { canvas } from './canvas.ts';
import { chat } from './chat.ts';
import { effects } from './effects.ts';
import { encounters } from './encounters.ts';
import { entities } from './entities.ts';
import { files } from './files.ts';
import { macros } from './macros.ts';
import type { ModuleFacts } from './module-fact.ts';
import { playlists } from './playlists.ts';
import { rolls } from './rolls.ts';
import { scenes } from './scenes.ts';
import { sheets } from './sheets.ts';
import { structure } from './structure.ts';
import { sys5eActors } from './sys5e-actors.ts';
import { sys5eItems } from './sys5e-items.ts';
import { users } from './users.ts';
import { utility } from './utility.ts';

/** All actions of today's module that are operations here, by their wire names. */
export const moduleFacts: ModuleFacts = {
  ...encounters,
  ...sys5eActors,
  ...sys5eItems,
  ...utility,
  ...entities,
  ...structure,
  ...users,
  ...effects,
  ...rolls,
  ...chat,
  ...macros,
  ...files,
  ...sheets,
  ...scenes,
  ...canvas,
  ...playlists,
};
