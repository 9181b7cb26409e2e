/** One kind of document. */
export interface DocumentKind {
  /** The field that lists its documents in the one that embeds them, or in the world. */
  collection: string;
  /** Kinds that it embeds. */
  embeds?: readonly string[];
  /** The world has documents of this kind, in folders where that is `folders`. */
  inWorld?: 'folders' | 'flat';
  /** The lowest role of a user who may create one. */
  creator: 1 | 2 | 3 | 4;
}

const embedded = (collection: string, embeds: readonly string[] = []): DocumentKind => ({
  collection,
  embeds,
  creator: 3,
});

const inFolders = (
  collection: string,
  creator: DocumentKind['creator'],
  embeds: readonly string[] = [],
): DocumentKind => ({ collection, creator, embeds, inWorld: 'folders' });

const onScene = {
  Token: embedded('tokens'),
  AmbientLight: embedded('lights'),
  AmbientSound: embedded('sounds'),
  Drawing: embedded('drawings'),
  MeasuredTemplate: embedded('templates'),
  Note: embedded('notes'),
  Region: embedded('regions', ['RegionBehavior']),
  Tile: embedded('tiles'),
  Wall: embedded('walls'),
};

/** Every kind of document that this world can hold. */
export const documentKinds: Readonly<Record<string, DocumentKind>> = {
  Actor: inFolders('actors', 3, ['Item', 'ActiveEffect']),
  Item: inFolders('items', 3, ['ActiveEffect']),
  Scene: inFolders('scenes', 3, Object.keys(onScene)),
  JournalEntry: inFolders('journal', 2, ['JournalEntryPage']),
  RollTable: inFolders('tables', 3, ['TableResult']),
  Cards: inFolders('cards', 3, ['Card']),
  Macro: inFolders('macros', 1),
  Playlist: inFolders('playlists', 3, ['PlaylistSound']),
  Folder: { collection: 'folders', creator: 3, inWorld: 'flat' },
  User: { collection: 'users', creator: 4, inWorld: 'flat' },
  Combat: { collection: 'combats', creator: 3, inWorld: 'flat', embeds: ['Combatant'] },
  Setting: { collection: 'settings', creator: 4, inWorld: 'flat' },
  ChatMessage: { collection: 'messages', creator: 1, inWorld: 'flat' },
  ...onScene,
  ActiveEffect: embedded('effects'),
  JournalEntryPage: embedded('pages'),
  TableResult: embedded('results'),
  Card: embedded('cards'),
  PlaylistSound: embedded('sounds'),
  RegionBehavior: embedded('behaviors'),
  Combatant: embedded('combatants'),
};

/** Whether the world's documents of a kind lie in folders. */
export const isFoldered = (kind: string): boolean =>
  Object.hasOwn(documentKinds, kind) && documentKinds[kind]?.inWorld === 'folders';

const isKind = (name: string): boolean => Object.hasOwn(documentKinds, name);

/** The kind that a UUID names, in its last part but one; undefined for what is not a UUID of this world. */
export function kindOf(uuid: string): string | undefined {
  const parts = uuid.split('.');
  const kind = parts.at(-2);
  return kind !== undefined && parts.length % 2 === 0 && isKind(kind) ? kind : undefined;
}
