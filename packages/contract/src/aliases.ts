/**
 * What programs of another relay of this kind write, and what it means here. Aliases are read at the border and answered
 * exactly as the real name. They stand in no list: only the page that tells how to come over has them.
 */

/** The beginnings of paths. */
export const pathAliases = [['/dnd5e/', '/sys5e/']] as const;

export const headerAliases = [['x-foundry-url', 'x-tabletop-url']] as const;

/** Scopes. One that opened much there is several here, so that a person who approves it sees what it does. */
export const scopeAliases = {
  dnd5e: ['sys5e:read', 'sys5e:write', 'roll:execute'],
  'world:info': ['world:read'],
  search: ['search:read'],
  'macro:list': ['macro:read'],
  'execute-js': ['script:execute'],
} as const satisfies Record<string, readonly string[]>;

/**
 * The operations that both relays have, by the scope that the other one asks for. An operation that only this relay has
 * is not in it.
 */
// prettier-ignore
export const theirScopes = {
  'encounter:read': ['encounters'],
  'encounter:manage': [
    'start-encounter', 'next-turn', 'next-round', 'last-turn', 'last-round', 'end-encounter', 'add-to-encounter',
    'remove-from-encounter',
  ],
  'entity:read': ['select', 'selected', 'players', 'entity'],
  'entity:write': ['create', 'update', 'delete', 'kill', 'increase', 'decrease', 'give', 'remove'],
  'world:info': ['world-info'],
  'execute-js': ['execute-js'],
  dnd5e: [
    'get-actor-details', 'modify-item-charges', 'use-ability', 'use-feature', 'use-spell', 'use-item',
    'modify-experience', 'short-rest', 'long-rest', 'skill-check', 'ability-save', 'ability-check', 'death-save',
    'get-concentration', 'break-concentration', 'concentration-save', 'equip-item', 'attune-item',
    'transfer-currency', 'modify-currency', 'prepare-spell',
  ],
  search: ['search'],
  'structure:read': ['structure', 'get-folder'],
  'structure:write': ['create-folder', 'delete-folder'],
  'roll:read': ['rolls', 'last-roll'],
  'roll:execute': ['roll'],
  'macro:list': ['macros'],
  'macro:execute': ['macro-execute'],
  'user:read': ['get-users', 'get-user'],
  'user:write': ['create-user', 'update-user', 'delete-user'],
  'scene:read': ['get-scene', 'scene-screenshot', 'scene-raw-image'],
  'scene:write': ['create-scene', 'update-scene', 'delete-scene', 'switch-scene'],
  'canvas:read': ['get-canvas-documents', 'measure-distance'],
  'canvas:write': ['create-canvas-document', 'update-canvas-document', 'delete-canvas-document', 'move-token'],
  'chat:read': ['chat-messages'],
  'chat:write': ['chat-send', 'chat-delete', 'chat-flush'],
  'effects:read': ['get-status-effects', 'get-effects'],
  'effects:write': ['add-effect', 'remove-effect'],
  'playlist:control': [
    'get-playlists', 'playlist-play', 'playlist-stop', 'playlist-next', 'playlist-volume', 'play-sound', 'stop-sound',
  ],
  'file:read': ['file-system', 'download-file'],
  'file:write': ['upload-file'],
  'sheet:read': ['sheet-screenshot'],
} as const satisfies Record<string, readonly string[]>;

/** A list of scopes without aliases, each once. A list that names none stays as it is, for the schema to judge. */
export function expandScopes(names: readonly unknown[]): readonly unknown[] {
  const isAlias = (name: unknown): name is keyof typeof scopeAliases =>
    typeof name === 'string' && Object.hasOwn(scopeAliases, name);
  if (!names.some(isAlias)) return names;
  return [
    ...new Set(names.flatMap((name): readonly unknown[] => (isAlias(name) ? scopeAliases[name] : [name]))),
  ];
}

/** The path of a request by its real name. */
export function expandPath(path: string): string {
  for (const [theirs, ours] of pathAliases)
    if (path.startsWith(theirs)) return ours + path.slice(theirs.length);
  return path;
}
