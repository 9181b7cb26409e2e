import { sys5e } from '../systems/choose.ts';
import type { AllHandlers } from './call.ts';
import { attributes } from './documents/attributes.ts';
import { entities } from './documents/entities.ts';
import { handingOver } from './documents/handing-over.ts';
import { search } from './documents/search.ts';
import { structure } from './documents/structure.ts';
import { canvasDocuments } from './scenes/canvas-documents.ts';
import { pictures } from './scenes/pictures.ts';
import { scenes } from './scenes/scenes.ts';
import { tokens } from './scenes/tokens.ts';
import { sheets } from './sheets/sheets.ts';
import { chat } from './table/chat.ts';
import { effects } from './table/effects.ts';
import { encounters } from './table/encounters.ts';
import { files } from './table/files.ts';
import { macros } from './table/macros.ts';
import { playlists } from './table/playlists.ts';
import { rolls } from './table/rolls.ts';
import { users } from './table/users.ts';
import { utility } from './table/utility.ts';

/** Every operation of the contract. */
export const allHandlers = {
  ...attributes,
  ...canvasDocuments,
  ...chat,
  ...effects,
  ...encounters,
  ...entities,
  ...files,
  ...handingOver,
  ...macros,
  ...pictures,
  ...playlists,
  ...rolls,
  ...scenes,
  ...search,
  ...sheets,
  ...structure,
  ...sys5e,
  ...tokens,
  ...users,
  ...utility,
} satisfies AllHandlers;
