import { DocumentCollection } from './collections.js';
import { embedded, levelOf, levels, mayModify, references, worldCollections } from './model.js';
import { declare, everywhere, facts, strict, strictClass, strictData } from './strict.js';
import { createAll, deleteAll, updateAll } from './operations.js';
import { inner, source, world } from './parts.js';
import { deepClone, expandObject, ForcedDeletion, getProperty, mergeObject } from './utils.js';

/** Members of every document by the types, which the tables list where a module needs them. */
const ofDocument = {
  ...everywhere([
    '_id',
    '_source',
    'documentName',
    'collectionName',
    'updateSource',
    'prepareData',
    'reset',
    'render',
  ]),
  ...everywhere(['apps', 'validate', 'toJSON']),
  ...everywhere(['*implementation', '*collectionName', '*documentName', '*TYPES', '*fromSource']),
};

/** The field table of a document in this version. */
export function fieldsOf(name) {
  const table = facts.documents.fields[name] ?? {};
  for (const [range, fields] of Object.entries(table)) {
    const [from, to = from] = range.split('-').map(Number);
    if (from <= facts.generation && facts.generation <= to) return fields;
  }
  return undefined;
}

/** The name of the table of a document: tokens, walls and the like are `…Document`. */
const onCanvas = [
  'Token',
  'Wall',
  'AmbientLight',
  'AmbientSound',
  'Tile',
  'Note',
  'Drawing',
  'Region',
  'MeasuredTemplate',
];
export const tableOf = (name) => (onCanvas.includes(name) ? `${name}Document` : name);

const free = (path) => /[.#](flags|ownership|permissions|hotbar|system|activities)(\.|$)/.test(path);

export class Document {
  static documentName = 'Document';

  constructor(data = {}, { parent = null, pack = null } = {}) {
    const name = this.constructor.documentName;
    this[inner] = { parent, pack, collections: {}, prepared: {}, name };
    this[source] = complete(name, data);
    const proxy = strict(this, tableOf(name));
    this[inner].proxy = proxy;
    for (const [field, type] of Object.entries(embedded[name] ?? {})) {
      if (!(field in this[source])) continue;
      const collection = new DocumentCollection(world.classes[type], 'EmbeddedCollection', { parent: proxy });
      this[inner].collections[field] = collection;
      this[source][field] = this[source][field].map((data) => {
        const child = new world.classes[type](data, { parent: proxy, pack });
        collection.set(child.id, child);
        return child[source];
      });
    }
    return proxy;
  }

  static get implementation() {
    return world.classes[this.documentName];
  }
  static get collectionName() {
    return worldCollections[this.documentName] ?? fieldFor(this.documentName);
  }
  static get TYPES() {
    return game.documentTypes?.[this.documentName] ?? ['base'];
  }
  static get metadata() {
    return {
      name: this.documentName,
      collection: this.collectionName,
      // Of the version: a kind of document that it lacks has no field either.
      embedded: Object.fromEntries(
        Object.entries(embedded[this.documentName] ?? {})
          .filter(([field]) => field in (fieldsOf(this.documentName) ?? {}))
          .map(([field, name]) => [name, field]),
      ),
    };
  }
  static get schema() {
    return { fields: fieldsOf(this.documentName), has: (key) => key in fieldsOf(this.documentName) };
  }
  static canUserCreate(user) {
    return mayModify(user[source], 'create', { type: this.documentName }, byRole());
  }
  static async create(data, operation = {}) {
    const [...made] = await this.createDocuments(Array.isArray(data) ? data : [data], operation);
    return Array.isArray(data) ? made : made[0];
  }
  static createDocuments(data = [], operation = {}) {
    return createAll(this, data, operation);
  }
  static updateDocuments(updates = [], operation = {}) {
    return updateAll(this, updates, operation);
  }
  static deleteDocuments(ids = [], operation = {}) {
    return deleteAll(this, ids, operation);
  }
  static get(id, { pack } = {}) {
    return pack
      ? (world.packs.get(pack)?.get(id) ?? null)
      : (world.collections[worldCollections[this.documentName]]?.get(id) ?? null);
  }
  static fromSource(data, context) {
    return new this.implementation(data, context);
  }

  get id() {
    return this[source]._id;
  }
  get _source() {
    return this[source];
  }
  get documentName() {
    return this[inner].name;
  }
  get collectionName() {
    return this.constructor.collectionName;
  }
  get parent() {
    return this[inner].parent;
  }
  get pack() {
    return this[inner].pack ?? this.parent?.pack ?? null;
  }
  get compendium() {
    return this.pack ? (game.packs.get(this.pack) ?? null) : null;
  }
  get inCompendium() {
    return this.pack !== null;
  }
  get isEmbedded() {
    return this.parent !== null;
  }
  get parentCollection() {
    return this.parent ? fieldFor(this.documentName) : null;
  }
  get collection() {
    if (this.parent) return this.parent[inner].collections[this.parentCollection];
    return this.pack ? game.packs.get(this.pack) : world.collections[worldCollections[this.documentName]];
  }
  get uuid() {
    const own = `${this.documentName}.${this.id}`;
    if (this.parent) return `${this.parent.uuid}.${own}`;
    return this.pack ? `Compendium.${this.pack}.${own}` : own;
  }
  get link() {
    return `@UUID[${this.uuid}]{${this.name}}`;
  }
  get apps() {
    return {};
  }
  get sheet() {
    this[inner].sheet ??= world.sheetFor(this[inner].proxy);
    return this[inner].sheet;
  }
  get permission() {
    return this.getUserLevel(game.user);
  }
  get isOwner() {
    return this.testUserPermission(game.user, 'OWNER');
  }
  get limited() {
    return this.testUserPermission(game.user, 'LIMITED', { exact: true });
  }
  get visible() {
    return this.testUserPermission(game.user, 'LIMITED');
  }
  get hasPlayerOwner() {
    return game.users.some((user) => !user.isGM && this.testUserPermission(user, 'OWNER'));
  }
  getUserLevel(user = game.user) {
    return levelOf(user[source], this[source].ownership, this.parent?.getUserLevel(user));
  }
  testUserPermission(user, permission, { exact = false } = {}) {
    const wanted = typeof permission === 'string' ? levels[permission] : permission;
    if (wanted === undefined) throw new Error(`${permission} is no level of ownership`);
    const level = this.getUserLevel(user);
    return exact ? level === wanted : level >= wanted;
  }
  canUserModify(user, action, data = {}) {
    return mayModify(user[source], action, placeOf(this, user, data), byRole());
  }
  getFlag(scope, key) {
    return getProperty(this[source].flags[scope] ?? {}, key);
  }
  setFlag(scope, key, value) {
    return this.update({ flags: { [scope]: { [key]: value } } });
  }
  unsetFlag(scope, key) {
    const [...path] = key.split('.');
    const last = path.pop();
    const gone = facts.generation >= 14 ? [last, new ForcedDeletion()] : [`-=${last}`, null];
    return this.update({ [['flags', scope, ...path, gone[0]].join('.')]: gone[1] });
  }
  toObject(fromSource = true) {
    if (fromSource) return deepClone(this[source]);
    return {
      ...deepClone(this[source]),
      ...('system' in this[source] ? { system: deepClone(plainSystem(this)) } : {}),
    };
  }
  toJSON() {
    return this.toObject();
  }
  clone(data = {}, { keepId = false, ...context } = {}) {
    const copy = mergeObject(this.toObject(), expandObject(data), { applyOperators: true });
    if (!keepId) copy._id = null;
    return new this.constructor(copy, { parent: this.parent, pack: this.pack, ...context });
  }
  updateSource(changes = {}) {
    mergeObject(this[source], expandObject(changes), { applyOperators: true });
    this[inner].prepared = {};
    return changes;
  }
  validate() {
    return true;
  }
  prepareData() {
    this[inner].prepared = {};
    this.parent?.prepareData();
  }
  reset() {
    this.prepareData();
  }
  render() {
    if (this[inner].sheet?.rendered) this[inner].sheet.render();
  }
  async update(data = {}, operation = {}) {
    const [updated] = await this.constructor.updateDocuments(
      [{ ...data, _id: this.id }],
      contextOf(this, operation),
    );
    return updated;
  }
  async delete(operation = {}) {
    const [deleted] = await this.constructor.deleteDocuments([this.id], contextOf(this, operation));
    return deleted;
  }
  getEmbeddedCollection(name) {
    const field = name in this[inner].collections ? name : fieldFor(name, this.documentName);
    const collection = this[inner].collections[field];
    if (!collection) throw new Error(`${name} is no embedded collection of ${this.documentName}`);
    return collection;
  }
  getEmbeddedDocument(name, id) {
    return this.getEmbeddedCollection(name).get(id);
  }
  createEmbeddedDocuments(name, data = [], operation = {}) {
    this.getEmbeddedCollection(name);
    return world.classes[name].createDocuments(data, { ...operation, parent: this[inner].proxy });
  }
  updateEmbeddedDocuments(name, updates = [], operation = {}) {
    this.getEmbeddedCollection(name);
    return world.classes[name].updateDocuments(updates, { ...operation, parent: this[inner].proxy });
  }
  deleteEmbeddedDocuments(name, ids, operation = {}) {
    this.getEmbeddedCollection(name);
    return world.classes[name].deleteDocuments(ids, { ...operation, parent: this[inner].proxy });
  }
}

function fieldFor(name, parentName) {
  for (const [parent, fields] of Object.entries(embedded)) {
    if (parentName && parent !== parentName) continue;
    const field = Object.keys(fields).find((key) => fields[key] === name);
    if (field) return field;
  }
  return undefined;
}

const byRole = () => game.permissions ?? {};
const contextOf = (document, operation) => ({ ...operation, parent: document.parent, pack: document.pack });

function placeOf(document, user, changes) {
  const { parent } = document;
  return {
    type: document.documentName,
    data: document[source],
    changes,
    level: document.getUserLevel(user),
    ...(parent
      ? {
          parentType: parent.documentName,
          parentLevel: parent.getUserLevel(user),
        }
      : {}),
  };
}

/** Data with the defaults of the version, and without what the version does not store. */
export function complete(name, data) {
  const fields = fieldsOf(name);
  if (!fields) throw new Error(`${name} is no document in Foundry ${facts.generation}`);
  const out = deepClone(fields);
  for (const [key, value] of Object.entries(data)) {
    if (!(key in fields) && key !== '_id') continue;
    out[key] =
      isTable(out[key]) && isTable(value)
        ? mergeObject(deepClone(out[key]), value)
        : value === undefined
          ? out[key]
          : value;
  }
  if (name === 'ChatMessage')
    out.rolls = out.rolls.map((roll) => (typeof roll === 'string' ? roll : JSON.stringify(roll)));
  world.completeSystem?.(name, out);
  return out;
}

const isTable = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/** Gives a class its fields, its table and its strictness. */
export function define(name, cls, { parents = [], more = {}, derived = {} } = {}) {
  if (cls.documentName !== name) cls.documentName = name;
  const fields = fieldsOf(name);
  if (!fields) return undefined;
  const table = tableOf(name);
  const ofFields = Object.fromEntries(Object.keys(fields).map((key) => [key, '12-14']));
  declare('Document', { more: ofDocument });
  declare(table, {
    parents: ['Document', ...parents],
    more: { ...ofFields, ...facts.core.classes[table], ...more },
  });
  for (const field of Object.keys(fields)) {
    const get = derived[field] ?? readerOf(name, field, table);
    const set = () => {
      throw new Error(`${table}#${field} = …: only update() lasts`);
    };
    if (!Object.hasOwn(cls.prototype, field))
      Object.defineProperty(cls.prototype, field, { configurable: true, get, set });
  }
  const made = strictClass(cls, table);
  world.classes[name] = made;
  return made;
}

function readerOf(name, field, table) {
  const collection = references[name]?.[field];
  if (embedded[name]?.[field]) {
    return function read() {
      return this[inner].collections[field];
    };
  }
  if (collection) {
    return function read() {
      const id = this[source][field];
      return id ? (world.collections[collection]?.get(id) ?? null) : null;
    };
  }
  if (field === 'system') {
    return function read() {
      return plainSystem(this);
    };
  }
  return function read() {
    return strictData(this[source][field], `${table}#${field}`, free);
  };
}

function plainSystem(document) {
  const { prepared } = document[inner];
  prepared.system ??= world.prepareSystem?.(document) ?? document[source].system;
  return prepared.system;
}
