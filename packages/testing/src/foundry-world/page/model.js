import { mergeObject } from './utils.js';

/**
 * Which documents there are, where they lie and what is embedded in them; and who may change which. Read by the page and by the
 * server: the server decides, and the page asks the same questions before it sends.
 */

/** Documents of the world: name -> its collection in `game` (and in the world's data). */
export const worldCollections = {
  User: 'users',
  Folder: 'folders',
  Actor: 'actors',
  Item: 'items',
  Scene: 'scenes',
  JournalEntry: 'journal',
  Macro: 'macros',
  Playlist: 'playlists',
  RollTable: 'tables',
  ChatMessage: 'messages',
  Combat: 'combats',
  Cards: 'cards',
  Setting: 'settings',
};

/** Embedded documents: parent -> field -> name. */
export const embedded = {
  Actor: { items: 'Item', effects: 'ActiveEffect' },
  ActorDelta: { items: 'Item', effects: 'ActiveEffect' },
  Item: { effects: 'ActiveEffect' },
  Cards: { cards: 'Card' },
  Combat: { combatants: 'Combatant', groups: 'CombatantGroup' },
  JournalEntry: { pages: 'JournalEntryPage', categories: 'JournalEntryCategory' },
  Playlist: { sounds: 'PlaylistSound' },
  RollTable: { results: 'TableResult' },
  Region: { behaviors: 'RegionBehavior' },
  Scene: {
    tokens: 'Token',
    walls: 'Wall',
    lights: 'AmbientLight',
    sounds: 'AmbientSound',
    tiles: 'Tile',
    notes: 'Note',
    drawings: 'Drawing',
    regions: 'Region',
    templates: 'MeasuredTemplate',
    levels: 'Level',
  },
};

/** Fields that hold the id of another document, which reading gives: document -> field -> collection. */
export const references = {
  Actor: { folder: 'folders' },
  Item: { folder: 'folders' },
  JournalEntry: { folder: 'folders' },
  Macro: {
    folder: 'folders',
    author: 'users',
  },
  Playlist: { folder: 'folders' },
  RollTable: { folder: 'folders' },
  Folder: { folder: 'folders' },
  User: { character: 'actors' },
  ChatMessage: { author: 'users' },
  Combat: { scene: 'scenes' },
  Drawing: { author: 'users' },
  MeasuredTemplate: { author: 'users' },
  Scene: {
    folder: 'folders',
    playlist: 'playlists',
    journal: 'journal',
  },
};

export const levels = { INHERIT: -1, NONE: 0, LIMITED: 1, OBSERVER: 2, OWNER: 3 };

const assistant = 3;
const gamemaster = 4;
export const isGM = (user) => user.role >= assistant;

/** The least role that has a permission, while the world's setting says nothing else. */
const leastRoles = {
  ACTOR_CREATE: 3,
  CARDS_CREATE: 3,
  DRAWING_CREATE: 2,
  FILES_BROWSE: 2,
  FILES_UPLOAD: 3,
  ITEM_CREATE: 3,
  JOURNAL_CREATE: 2,
  MACRO_SCRIPT: 1,
  MANUAL_ROLLS: 2,
  MESSAGE_WHISPER: 1,
  NOTE_CREATE: 2,
  PING_CANVAS: 1,
  PLAYLIST_CREATE: 3,
  QUERY_USER: 1,
  REGION_CREATE: 1,
  SETTINGS_MODIFY: 3,
  SHOW_CURSOR: 1,
  SHOW_RULER: 1,
  TEMPLATE_CREATE: 1,
  TOKEN_CONFIGURE: 2,
  TOKEN_CREATE: 3,
  TOKEN_DELETE: 3,
  WALL_DOORS: 1,
  BROADCAST_AUDIO: 2,
  BROADCAST_VIDEO: 2,
};

/** Whether the user's role, or the user alone, has that permission. */
export function hasPermission(user, permission, byRole = {}) {
  if (user.role === gamemaster) return true;
  const own = user.permissions?.[permission];
  if (own !== undefined) return own;
  const roles = byRole[permission];
  return roles ? roles.includes(user.role) : user.role >= (leastRoles[permission] ?? gamemaster);
}

/** What a user may do with a document by its table of owners; embedded documents without one have their parent's. */
export function levelOf(user, ownership, parentLevel) {
  if (isGM(user)) return levels.OWNER;
  if (!ownership) return parentLevel ?? levels.NONE;
  const level = ownership[user._id] ?? ownership.default ?? levels.NONE;
  return level === levels.INHERIT ? (parentLevel ?? levels.NONE) : level;
}

const createdWith = {
  Actor: 'ACTOR_CREATE',
  Item: 'ITEM_CREATE',
  JournalEntry: 'JOURNAL_CREATE',
  Playlist: 'PLAYLIST_CREATE',
  Cards: 'CARDS_CREATE',
  Drawing: 'DRAWING_CREATE',
  Note: 'NOTE_CREATE',
  MeasuredTemplate: 'TEMPLATE_CREATE',
  Region: 'REGION_CREATE',
  Token: 'TOKEN_CREATE',
};

/**
 * Whether `user` (data) may do `action` to a document. `at`: `type`, `data` (as it is), `changes`, `level` of the user on it,
 * `parentType`, `parentLevel`.
 */
export function mayModify(user, action, at, byRole) {
  const { type, data = {}, parentType, parentLevel = levels.NONE, level } = at;
  if (type === 'Setting') return hasPermission(user, 'SETTINGS_MODIFY', byRole) || data.user === user._id;
  if (type === 'User') return mayModifyUser(user, action, at);
  if (isGM(user)) return type !== 'Setting' || hasPermission(user, 'SETTINGS_MODIFY', byRole);
  if (type === 'ChatMessage') return action === 'create' || data.author === user._id;
  if (type === 'Macro' && action === 'create') return true;
  if (type === 'Combat' || type === 'Scene' || type === 'Folder') return false;
  if (type === 'Combatant') return parentType === 'Combat' && level === levels.OWNER;
  if (action === 'create') {
    if (parentType && parentType !== 'Scene') return parentLevel >= levels.OWNER;
    return createdWith[type] !== undefined && hasPermission(user, createdWith[type], byRole);
  }
  if (type === 'Token' && action === 'delete')
    return level === levels.OWNER && hasPermission(user, 'TOKEN_DELETE', byRole);
  return (data.author !== undefined && data.author === user._id) || level >= levels.OWNER;
}

function mayModifyUser(user, action, { data, changes = {} }) {
  if (user.role === gamemaster) return action !== 'delete' || data._id !== user._id;
  if (user.role === assistant && action === 'create') return (data.role ?? 1) <= assistant;
  if (user.role === assistant && data.role < gamemaster)
    return (changes.role ?? 0) <= assistant && action !== 'delete';
  const fixed = ['role', 'permissions', 'name'];
  return action === 'update' && data._id === user._id && !fixed.some((key) => key in changes);
}

/** The data of a synthetic actor: the base's, with what the delta changes, adds and takes away. */
export function mergeDelta(base, delta) {
  const { items = [], effects = [], system = {}, ...rest } = delta;
  const out = mergeObject(
    base,
    Object.fromEntries(Object.entries({ ...rest, _id: base._id }).filter(([, value]) => value !== null)),
  );
  mergeObject(out.system, system);
  for (const [key, changes] of [
    ['items', items],
    ['effects', effects],
  ]) {
    for (const change of changes) {
      const index = out[key].findIndex(({ _id: id }) => id === change._id);
      if (change._tombstone) out[key].splice(index, index < 0 ? 0 : 1);
      else if (index < 0) out[key].push(change);
      else out[key][index] = change;
    }
  }
  return out;
}
