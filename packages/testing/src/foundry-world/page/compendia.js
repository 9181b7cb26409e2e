import { Collection, DocumentCollection } from './collections.js';
import { source, world } from './parts.js';
import { isGM, levels } from './model.js';

/** Compendia: an index at once, documents on demand. */

const roles = ['NONE', 'PLAYER', 'TRUSTED', 'ASSISTANT', 'GAMEMASTER'];

const about = Symbol('about');
const fill = Symbol('fill');
const load = Symbol('load');
export const reindex = Symbol('reindex');

function levelIn(pack, user) {
  if (isGM(user[source])) return levels.OWNER;
  return Math.max(0, ...roles.slice(0, user.role + 1).map((role) => levels[pack.ownership[role]] ?? 0));
}

class CompendiumCollection extends DocumentCollection {
  constructor(metadata, cls) {
    super(cls, 'CompendiumCollection');
    this[about] = { metadata, fields: ['name', 'img', 'type', 'folder'] };
  }
  get metadata() {
    return this[about].metadata;
  }
  get collection() {
    return this.metadata.id;
  }
  get title() {
    return this.metadata.label;
  }
  get documentName() {
    return this.metadata.type;
  }
  get indexFields() {
    return new Set(this[about].fields);
  }
  get locked() {
    return (
      game.settings.get('core', 'compendiumConfiguration')[this.collection]?.locked ??
      this.metadata.locked === true
    );
  }
  get ownership() {
    const own = game.settings.get('core', 'compendiumConfiguration')[this.collection]?.ownership;
    return own ?? this.metadata.ownership ?? { PLAYER: 'OBSERVER', ASSISTANT: 'OWNER' };
  }
  get visible() {
    return this.testUserPermission(game.user, 'OBSERVER');
  }
  get folders() {
    return new Collection([]);
  }
  get maxFolderDepth() {
    return 3;
  }
  get index() {
    return this[about].index;
  }
  testUserPermission(user, permission, { exact = false } = {}) {
    const wanted = typeof permission === 'string' ? levels[permission] : permission;
    const level = levelIn(this, user);
    return exact ? level === wanted : level >= wanted;
  }
  getUuid(id) {
    return `Compendium.${this.collection}.${this.documentName}.${id}`;
  }
  [reindex]() {
    const entries = this[about].sources ?? [];
    const pick = (data) =>
      Object.fromEntries(
        ['_id', ...this[about].fields].filter((key) => key in data).map((key) => [key, data[key]]),
      );
    const all = this.size > 0 ? this.contents.map((document) => document[source]) : entries;
    this[about].index = new Collection(
      all.map((data) => [data._id, { ...pick(data), uuid: this.getUuid(data._id) }]),
    );
    return this[about].index;
  }
  [fill](entries) {
    this[about].sources = entries;
    this[reindex]();
  }
  async getIndex({ fields = [] } = {}) {
    this[about].fields = [...new Set([...this[about].fields, ...fields])];
    await this[load]();
    return this[reindex]();
  }
  async [load]() {
    if (this.size > 0) return;
    const { documents } = await world.connection.request('pack', { pack: this.collection });
    for (const data of documents) this.set(data._id, new this.documentClass(data, { pack: this.collection }));
  }
  async getDocument(id) {
    await this[load]();
    return this.get(id) ?? null;
  }
  async getDocuments(query = {}) {
    await this[load]();
    const fits = (document) =>
      Object.entries(query).every(([key, value]) =>
        [value].flat().includes(document[source][key.replace(/__in$/, '')]),
      );
    return this.filter(fits);
  }
  async importDocument(document, { clearFolder = true } = {}) {
    const data = { ...document.toObject(), _id: null };
    if (clearFolder && 'folder' in data) data.folder = null;
    return this.documentClass.create(data, { pack: this.collection });
  }
  async importAll({ folderId = null, ...options } = {}) {
    const data = (await this.getDocuments()).map((entry) => ({
      ...entry.toObject(),
      _id: null,
      folder: folderId,
    }));
    return this.documentClass.createDocuments(data, options);
  }
  async updateAll(transformation, condition = () => true, options = {}) {
    const entries = (await this.getDocuments()).filter(condition);
    const updates = entries.map((entry) => ({
      ...(typeof transformation === 'function' ? transformation(entry) : transformation),
      _id: entry.id,
    }));
    return this.documentClass.updateDocuments(updates, { ...options, pack: this.collection });
  }
  async configure(configuration) {
    const all = game.settings.get('core', 'compendiumConfiguration');
    await game.settings.set('core', 'compendiumConfiguration', {
      ...all,
      [this.collection]: { ...all[this.collection], ...configuration },
    });
    return this;
  }
}

export function createPacks(packs) {
  const all = new Collection([], 'CompendiumPacks');
  for (const { metadata, index } of packs) {
    const pack = new CompendiumCollection(metadata, world.classes[metadata.type]);
    pack[fill](index);
    world.packs.set(metadata.id, pack);
    all.set(metadata.id, pack);
  }
  return all;
}
