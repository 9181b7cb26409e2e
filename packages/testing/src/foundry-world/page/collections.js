import { declare, everywhere, strict } from './strict.js';

const raw = Symbol('raw');

/** Members of `Collection`, which the types have of `Map` and which stand in no table of their own. */
const ofMap = Object.fromEntries(
  [
    'get',
    'set',
    'has',
    'delete',
    'clear',
    'size',
    'keys',
    'values',
    'entries',
    'forEach',
    'contents',
    'find',
    'filter',
    'map',
    'reduce',
    'some',
    'every',
    'getName',
    'toJSON',
  ].map((name) => [name, '12-14']),
);

/** A map whose iteration gives its values. */
export class Collection extends Map {
  constructor(entries, table = 'Collection') {
    super();
    this[raw] = this;
    for (const [key, value] of entries ?? []) Map.prototype.set.call(this, key, value);
    // Everybody holds the proxy.
    return strict(this, declareCollection(table));
  }
  get size() {
    return Reflect.get(Map.prototype, 'size', this[raw]);
  }
  get(key, { strict: isStrict = false } = {}) {
    const value = Map.prototype.get.call(this[raw], key);
    if (value === undefined && isStrict)
      throw new Error(`The key ${key} does not exist in the ${this.constructor.name}`);
    return value;
  }
  set(key, value) {
    Map.prototype.set.call(this[raw], key, value);
    return this;
  }
  has(key) {
    return Map.prototype.has.call(this[raw], key);
  }
  delete(key) {
    return Map.prototype.delete.call(this[raw], key);
  }
  clear() {
    Map.prototype.clear.call(this[raw]);
  }
  keys() {
    return Map.prototype.keys.call(this[raw]);
  }
  values() {
    return Map.prototype.values.call(this[raw]);
  }
  entries() {
    return Map.prototype.entries.call(this[raw]);
  }
  [Symbol.iterator]() {
    return this.values();
  }
  get contents() {
    return [...this.values()];
  }
  forEach(run) {
    for (const value of this.values()) run(value);
  }
  find(test) {
    return this.contents.find((value, index) => test(value, index, this));
  }
  filter(test) {
    return this.contents.filter((value, index) => test(value, index, this));
  }
  map(run) {
    return this.contents.map((value, index) => run(value, index, this));
  }
  reduce(run, initial) {
    return this.contents.reduce(run, initial);
  }
  some(test) {
    return this.contents.some(test);
  }
  every(test) {
    return this.contents.every(test);
  }
  getName(name, { strict: isStrict = false } = {}) {
    const found = this.find((value) => value.name === name);
    if (!found && isStrict) throw new Error(`An entry with name ${name} does not exist in the collection`);
    return found;
  }
  toJSON() {
    return this.map((value) => (value?.toJSON ? value.toJSON() : value));
  }
}

const declared = new Set();

function declareCollection(table) {
  if (declared.has(table)) return table;
  declared.add(table);
  declare(table, {
    parents: table === 'Collection' ? [] : ['Collection'],
    more: table === 'Collection' ? ofMap : more[table],
  });
  return table;
}

/** Of the collections of the world and of embedded documents, by the types. */
const more = {
  WorldCollection: { ...ofMap, ...everywhere(['invalidDocumentIds']) },
  EmbeddedCollection: everywhere(['documentClass', 'getInvalid', 'invalidDocumentIds', 'parent']),
  Users: { ...ofMap, ...everywhere(['documentName', 'documentClass']) },
  CombatEncounters: { ...ofMap, ...everywhere(['documentName', 'documentClass']) },
  Scenes: {
    ...ofMap,
    ...everywhere(['documentName', 'documentClass', 'active', 'viewed', 'current', 'preload']),
  },
  Playlists: { ...ofMap, ...everywhere(['documentName', 'documentClass', 'playing']) },
  Messages: { ...ofMap, ...everywhere(['documentName', 'documentClass', 'export', 'flush']) },
  CompendiumCollection: {
    ...ofMap,
    ...everywhere(['importAll']),
  },
};

/** A collection of documents: of the world, or embedded in `parent`. */
export class DocumentCollection extends Collection {
  constructor(documentClass, table, { parent } = {}) {
    super([], table);
    this[kept] = { documentClass, parent };
  }
  get documentClass() {
    return this[kept].documentClass;
  }
  get documentName() {
    return this.documentClass.documentName;
  }
  get parent() {
    return this[kept].parent;
  }
  getInvalid() {
    return undefined;
  }
  get invalidDocumentIds() {
    return new Set();
  }
  get directory() {
    return ui[this.documentClass.collectionName] ?? null;
  }
  /** The data of a document of a compendium, as this collection takes it. */
  fromCompendium(document, { clearFolder = false, keepId = false } = {}) {
    const data = document.toObject();
    if (!keepId) data._id = null;
    if (clearFolder && 'folder' in data) data.folder = null;
    return data;
  }
  async importFromCompendium(pack, id, updateData = {}, options = {}) {
    const document = await pack.getDocument(id);
    const data = { ...this.fromCompendium(document, options), ...updateData };
    return this.documentClass.create(data, { ...options, fromCompendium: true });
  }
  search({ query = '' } = {}) {
    return this.filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()));
  }
}

const kept = Symbol('kept');

export class Users extends DocumentCollection {
  get current() {
    return game.user;
  }
  get players() {
    return this.filter((user) => !user.isGM && user.hasRole('PLAYER'));
  }
  /** Of the active game masters the one of the highest role, and of these the first by id. */
  get activeGM() {
    const active = this.filter((user) => user.active && user.isGM);
    return active.sort((a, b) => b.role - a.role || a.id.localeCompare(b.id))[0] ?? null;
  }
}

export class CombatEncounters extends DocumentCollection {
  get combats() {
    return this.filter((combat) => combat.scene === null || combat.scene === game.scenes.current);
  }
  get active() {
    return this.combats.find((combat) => combat.active);
  }
  get viewed() {
    return ui.combat?.viewed ?? null;
  }
}

export class Scenes extends DocumentCollection {
  get active() {
    return this.find((scene) => scene.active);
  }
  get current() {
    return this.get(game.user?.viewedScene);
  }
  get viewed() {
    return this.current;
  }
  preload() {
    return Promise.resolve();
  }
}

export class Playlists extends DocumentCollection {
  get playing() {
    return this.filter((playlist) => playlist.playing);
  }
}

export class Messages extends DocumentCollection {
  export() {
    return this.map((message) => message.export()).join('\n');
  }
  async flush() {
    await ChatMessage.deleteDocuments([], { deleteAll: true });
  }
}
