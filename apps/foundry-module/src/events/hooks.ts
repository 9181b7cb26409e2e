import type { FoundryDocument, User } from '../tabletop/documents.ts';
import type { HookRuns, Send } from './hook-runs.ts';
import { serialise } from './serialise.ts';
import { gameMasters, visibleTo } from './visible-to.ts';

const documents = [
  'Actor',
  'Item',
  'ActiveEffect',
  'Token',
  'Combat',
  'Combatant',
  'ChatMessage',
  'Scene',
  'AmbientLight',
  'Wall',
  'Tile',
  'Drawing',
  'Note',
  'JournalEntry',
  'Macro',
  'Playlist',
  'Folder',
  'User',
];

/** Hooks that tell of documents, and of what happens at the table. `combatTurnChange` is what every browser hears. */
const heard = [
  ...documents.flatMap((kind) => [`create${kind}`, `update${kind}`, `delete${kind}`]),
  'controlToken',
  'targetToken',
  'canvasReady',
  'pauseGame',
  'userConnected',
  'combatStart',
  'combatTurn',
  'combatRound',
  'combatTurnChange',
  'updateWorldTime',
];

/** The tabletop's own hooks, with their arguments as plain data. */
export const hookHooks = (send: Send<'hooks'>): HookRuns =>
  Object.fromEntries(
    heard.map((hook) => [
      hook,
      (...args: unknown[]) => send(() => ({ hook, args: args.map(serialise) }), seenBy(hook, args)),
    ]),
  );

/** What a document's hook tells is for those who may see it; what a game master has selected is theirs. */
function seenBy(hook: string, [first]: readonly unknown[]): readonly string[] {
  if (hook === 'controlToken' || !isDocument(first)) return gameMasters();
  if (first.documentName === 'Combat') {
    const combatants = first.getEmbeddedCollection('Combatant').contents;
    return visibleTo([first, ...combatants]);
  }
  if (first.documentName === 'User') return [...new Set([...gameMasters(), (first as User).id])];
  return visibleTo([first]);
}

const isDocument = (value: unknown): value is FoundryDocument =>
  typeof value === 'object' && value !== null && 'documentName' in value && 'testUserPermission' in value;
