import { scriptHelpers } from './script-helpers.ts';

/**
 * What scripts find in the interpreter, as tabletops have it: `game` with its collections, the classes of documents,
 * `fromUuid`, `canvas`, `console` and the like. It is text, because the interpreter shares nothing with its host.
 * A script works on a copy of the world, and what it makes, changes and deletes is told to `addDeed`, in its order: the world
 * does all of that once the script has ended, or nothing.
 */
export const scriptLibrary = String.raw`
(world, addDeed) => {
  ${scriptHelpers}

  class StatusSet extends Set {
    toJSON() { return [...this]; }
  }

  const classes = {};
  const collections = {};
  const needsObject = (data) => {
    if (!isObject(data)) throw new Error('The data of a document must be an object');
  };

  class Document {
    constructor(data, { kind, parent = null, within }) {
      // A field of the world's cannot take the place of what a document does.
      for (const [name, value] of Object.entries(data)) if (!(name in Document.prototype)) this[name] = value;
      own(this, { documentName: kind, parent, collection: within });
      for (const inner of world.kinds[kind].embeds) {
        const name = world.kinds[inner].collection;
        const embedded = new Collection();
        for (const one of data[name] ?? []) embedded.set(one._id, make(inner, one, this, embedded));
        this[name] = embedded;
      }
      if (Array.isArray(data.statuses)) this.statuses = new StatusSet(data.statuses);
      if (kind === 'Token') {
        delete this.actor;
        Object.defineProperty(this, 'actor', { get: () => fromUuidSync(this.actorUuid), enumerable: false });
      }
    }
    get id() { return this._id; }
    get isOwner() { return true; }
    get visible() { return true; }
    get link() { return '@UUID[' + this.uuid + ']{' + this.name + '}'; }
    get hasPlayerOwner() {
      return game.users.some((user) => !user.isGM && this.testUserPermission(user, 'OWNER'));
    }
    get itemTypes() {
      const types = {};
      for (const item of this.items ?? []) (types[item.type] ??= []).push(item);
      return types;
    }
    testUserPermission(user, level) {
      const wanted = typeof level === 'number' ? level : CONST.DOCUMENT_OWNERSHIP_LEVELS[level];
      return user.isGM || (this.ownership?.[user.id] ?? this.ownership?.default ?? 0) >= wanted;
    }
    toJSON() { return Object.fromEntries(Object.entries(this)); }
    toObject() { return copy(this); }
    getRollData() { return copy(this.system ?? {}); }
    getFlag(scope, key) { return getProperty(this.flags?.[scope], key); }
    setFlag(scope, key, value) { return this.update({ ['flags.' + scope + '.' + key]: value }); }
    unsetFlag(scope, key) { return this.update({ ['flags.' + scope + '.-=' + key]: null }); }
    getActiveTokens() {
      return (game.scenes.active?.tokens.filter(({ actorUuid }) => actorUuid === this.uuid) ?? []).map(placeable);
    }
    async update(changes = {}) {
      needsObject(changes);
      const { _id, ...fields } = copy(changes);
      addDeed({ update: this.uuid, changes: fields });
      const known = Object.entries(fields).filter(([path]) => !(path.split('.')[0] in Document.prototype));
      mergeObject(this, Object.fromEntries(known));
      return this;
    }
    async delete() {
      addDeed({ delete: this.uuid });
      this.collection?.delete(this._id);
      return this;
    }
    async createEmbeddedDocuments(kind, list = []) {
      if (!world.kinds[this.documentName].embeds.includes(kind))
        throw new Error(kind + ' is not embedded in ' + this.documentName);
      const within = this[world.kinds[kind].collection];
      return list.map((data) => create(kind, data, this, within));
    }
    async updateEmbeddedDocuments(kind, list = []) {
      const within = this[world.kinds[kind]?.collection];
      return await Promise.all(list.map((changes) => within.get(changes._id, { strict: true }).update(changes)));
    }
    async deleteEmbeddedDocuments(kind, ids = []) {
      const within = this[world.kinds[kind]?.collection];
      return await Promise.all(ids.map((id) => within.get(id, { strict: true }).delete()));
    }
    /** Of a macro: runs its code. */
    async execute({ args = {}, ...scope } = {}) {
      if (this.documentName !== 'Macro') throw new Error('Only macros are executed');
      if (this.type === 'chat') return await ChatMessage.create({ content: this.command });
      return await world.run(this.command, { ...scope, ...args });
    }
    static async create(data) {
      const made = await this.createDocuments([data].flat());
      return Array.isArray(data) ? made : made[0];
    }
    static async createDocuments(list = [], { parent = null } = {}) {
      if (parent) return await parent.createEmbeddedDocuments(this.documentName, list);
      return list.map((data) => create(this.documentName, data, null, collections[this.documentName]));
    }
    static async updateDocuments(list = []) {
      return await Promise.all(list.map((changes) => collections[this.documentName].get(changes._id, { strict: true }).update(changes)));
    }
    static async deleteDocuments(ids = []) {
      return await Promise.all(ids.map((id) => collections[this.documentName].get(id, { strict: true }).delete()));
    }
    static get(id) { return collections[this.documentName]?.get(id); }
  }

  const make = (kind, data, parent, within) => new classes[kind](data, { kind, parent, within });
  const create = (kind, given, parent, within) => {
    needsObject(given);
    const _id = typeof given._id === 'string' ? given._id : randomID();
    const data = { ...copy(given), _id };
    addDeed({ create: kind, parent: parent?.uuid ?? null, data });
    const uuid = (parent ? parent.uuid + '.' : '') + kind + '.' + _id;
    const place = kind === 'Token' && data.actorId ? { actorUuid: 'Actor.' + data.actorId } : {};
    const made = make(kind, { name: kind, folder: null, flags: {}, ...place, ...copy(data), uuid }, parent, within);
    within?.set(_id, made);
    return made;
  };
  for (const kind of Object.keys(world.kinds)) {
    classes[kind] = class extends Document {};
    own(classes[kind], { documentName: kind, implementation: classes[kind] });
  }
  own(classes.ChatMessage, {
    getSpeaker: ({ actor, token, scene, alias } = {}) => {
      const of = token?.document ?? token;
      const who = actor ?? of?.actor ?? null;
      return {
        scene: scene?.id ?? of?.parent?.id ?? game.scenes.active?.id ?? null,
        actor: who?.id ?? who, token: of?.id ?? null, alias: alias ?? of?.name ?? who?.name ?? game.user.name,
      };
    },
    getWhisperRecipients: (name) =>
      game.users.filter((user) => (['gm', 'dm'].includes(name.toLowerCase()) ? user.isGM : user.name === name)),
  });

  const placeable = (document) => ({
    id: document.id, name: document.name, document, actor: document.actor, scene: document.parent,
    x: document.x, y: document.y, center: { x: document.x + document.width / 2, y: document.y + document.height / 2 },
    isOwner: true, toJSON: () => document,
  });
  const game = { ...world.facts, ready: true, paused: false };
  for (const [kind, list] of Object.entries(world.documents)) {
    const within = new Collection();
    for (const data of list) within.set(data._id, make(kind, data, null, within));
    collections[kind] = within;
    game[world.kinds[kind].collection] = within;
  }
  /** Those of tokens that have their own. */
  const sheets = new Map(world.sheets.map((data) => [data.uuid, make('Actor', data, null, null)]));
  const byId = (list) => new Collection(list.map((one) => [one.id, one]));
  game.user = game.users.get(world.userId) ?? null;
  game.userId = world.userId;
  for (const user of game.users)
    own(user, { can: () => true, hasPermission: () => user.isGM, targets: new StatusSet() });
  for (const user of game.users)
    if (typeof user.character === 'string') user.character = game.actors.get(user.character) ?? null;
  own(game.users, { current: game.user, activeGM: game.users.find(({ isGM }) => isGM) ?? null });
  const active = game.scenes.find((scene) => scene.active) ?? null;
  own(game.scenes, { active, current: active, viewed: active });
  game.combat = game.combats.find((combat) => combat.current) ?? null;
  own(game.combats, { active: game.combat, viewed: game.combat });
  game.modules = byId(world.modules);
  game.packs = byId(world.packs.map((pack) => {
    const index = new Collection();
    for (const data of pack.documents) index.set(data._id, make(pack.kind, data, null, index));
    const metadata = { id: pack.id, label: pack.label, type: pack.kind };
    return {
      ...metadata, collection: pack.id, title: pack.label, documentName: pack.kind, metadata, index,
      getIndex: async () => index, getDocuments: async () => index.contents,
      getDocument: async (id) => index.get(id) ?? null,
    };
  }));
  const registered = new Map(Object.entries(world.settings));
  const storedSetting = (name) => collections.Setting.find(({ key }) => key === name);
  game.settings = {
    register: (scope, key, data = {}) => void registered.set(scope + '.' + key, data.default),
    get: (scope, key) => {
      const stored = storedSetting(scope + '.' + key);
      if (stored) return JSON.parse(stored.value);
      if (!registered.has(scope + '.' + key)) throw new Error('"' + scope + '.' + key + '" is not a registered game setting');
      return copy(registered.get(scope + '.' + key));
    },
    set: async (scope, key, value) => {
      game.settings.get(scope, key);
      const stored = storedSetting(scope + '.' + key);
      const text = JSON.stringify(value);
      if (stored) await stored.update({ value: text });
      else await classes.Setting.create({ key: scope + '.' + key, value: text });
      return value;
    },
  };
  game.i18n = { lang: 'en', localize: (key) => key, format: (key) => key, has: () => false };
  game.time = { worldTime: 0 };

  const fromUuidSync = (uuid) => {
    const parts = String(uuid).split('.');
    if (parts[0] === 'Compendium') return game.packs.get(parts[1] + '.' + parts[2])?.index.get(parts.at(-1)) ?? null;
    let found = null;
    for (let at = 0; at < parts.length; at += 2) {
      const within = found ? found[world.kinds[parts[at]]?.collection] : collections[parts[at]];
      if (at > 0 && parts[at] === 'Actor') found = sheets.get(parts.slice(0, at + 2).join('.')) ?? null;
      else found = within instanceof Map ? (within.get(parts[at + 1]) ?? null) : null;
      if (!found) return null;
    }
    return found;
  };
  const tokens = (active?.tokens.contents ?? []).map(placeable);
  const none = () => {};
  own(globalThis, {
    ...Object.fromEntries(Object.keys(world.kinds).map((kind) => [world.kinds[kind].global, classes[kind]])),
    game, fromUuidSync, Collection,
    fromUuid: async (uuid) => fromUuidSync(uuid),
    foundry: { utils, documents: classes },
    canvas: {
      ready: active !== null, scene: active,
      tokens: {
        placeables: tokens, controlled: tokens.filter(({ document }) => world.selection.includes(document.uuid)),
        get: (id) => tokens.find((token) => token.id === id),
      },
    },
    ui: { notifications: { info: none, warn: none, error: none, notify: none } },
    Hooks: { on: () => 0, once: () => 0, off: none, call: () => true, callAll: () => true },
    CONST: {
      DOCUMENT_OWNERSHIP_LEVELS: { INHERIT: -1, NONE: 0, LIMITED: 1, OBSERVER: 2, OWNER: 3 },
      USER_ROLES: { NONE: 0, PLAYER: 1, TRUSTED: 2, ASSISTANT: 3, GAMEMASTER: 4 },
      CHAT_MESSAGE_STYLES: { OTHER: 0, OOC: 1, IC: 2, EMOTE: 3 },
    },
    duplicate: copy, mergeObject, getProperty, setProperty, randomID,
  });
}`;
