import {
  embedded,
  hasPermission,
  levelOf,
  levels,
  mayModify,
  mergeDelta,
  worldCollections,
} from '../page/model.js';
import { deepClone, randomID } from '../page/utils.js';

/** The documents of one world on the server: it alone decides, gives ids and says what everybody is told. */

const isTable = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

export class Refused extends Error {}

/** Merges changes as the page does: `-=key` deletes, `==key` replaces, embedded entries are found by id. */
function merge(data, changes, type) {
  for (const [key, value] of Object.entries(changes)) {
    const child = embedded[type]?.[key];
    if (child && Array.isArray(value) && Array.isArray(data[key])) {
      for (const entry of value) {
        const at = data[key].find(({ _id: id }) => id === entry._id);
        if (at) merge(at, entry, child);
      }
    } else if (key.startsWith('-=')) delete data[key.slice(2)];
    else if (key.startsWith('==')) data[key.slice(2)] = value;
    else if (isTable(value)) {
      data[key] = isTable(data[key]) ? data[key] : {};
      merge(data[key], value);
    } else data[key] = value;
  }
}

const root = ({ documents, packs }, type, pack) =>
  pack ? packs.get(pack)?.documents : documents[worldCollections[type]];

const byId = (list, id) => list?.find(({ _id }) => _id === id);

function permissionsOf({ documents }) {
  const entry = documents.settings.find(({ key }) => key === 'core.permissions');
  return entry ? JSON.parse(entry.value) : {};
}

/** The place of a uuid: the data, its document's name and the level that a user has there. */
function locate(database, uuid, user) {
  const steps = uuid.split('.');
  const pack = steps[0] === 'Compendium' ? steps.splice(0, 3).slice(1).join('.') : undefined;
  const [type, id] = steps.splice(0, 2);
  const data = byId(root(database, type, pack), id);
  let at = { type, data, level: data ? levelOf(user, data.ownership) : 0 };
  while (steps.length > 1 && at.data) {
    const [name, child] = steps.splice(0, 2);
    const isTokens = name === 'Actor' && at.type === 'Token';
    at = isTokens ? tokenActor(database, at, user) : childOf(database, at, { name, id: child, user });
  }
  if (!at.data) throw new Refused(`${uuid} does not exist`);
  return at;
}

/** A token's own actor: the world's with the token's delta over it. */
function tokenActor({ documents }, { data: token }, user) {
  const base = byId(documents.actors, token.actorId);
  token.delta ??= {};
  const data = base && mergeDelta(deepClone(base), token.delta);
  return { type: 'Actor', data, token, level: base ? levelOf(user, base.ownership) : 0 };
}

const fieldIn = (type, child) =>
  Object.keys(embedded[type] ?? {}).find((key) => embedded[type][key] === child);

function childOf(database, parent, { name, id, user }) {
  const data = byId(parent.data[fieldIn(parent.type, name)], id);
  const level = levelIn(database, { type: name, data, parent }, user);
  return { type: name, data, parent, level, token: parent.token };
}

/** Tokens and combatants are their actor's owner's. */
function levelIn({ documents }, { type, data, parent }, user) {
  const actorId = type === 'Token' || type === 'Combatant' ? data?.actorId : undefined;
  const actor = byId(documents.actors, actorId);
  return levelOf(user, actor ? actor.ownership : data?.ownership, parent?.level);
}

function check(database, user, action, at) {
  if (mayModify(user, action, at, permissionsOf(database))) return;
  const name = at.data?.name ?? at.data?._id ?? '';
  throw new Refused(`User ${user.name} lacks permission to ${action} ${at.type} [${name}]`);
}

function giveIds(data, type, keepId) {
  if (!keepId || !data._id) data._id = randomID();
  for (const [field, child] of Object.entries(embedded[type] ?? {})) {
    for (const entry of data[field] ?? []) giveIds(entry, child, Boolean(entry._id));
  }
  return data;
}

function stamp({ stats }, data, user, isNew = false) {
  if (!isTable(data._stats)) return;
  const now = Date.now();
  const made = isNew ? { createdTime: now } : {};
  Object.assign(data._stats, stats, { modifiedTime: now, lastModifiedBy: user._id, ...made });
}

/** Who makes a document owns it, and is its author. */
function claim(data, type, user) {
  if (isTable(data.ownership) && type !== 'JournalEntryPage') data.ownership[user._id] ??= levels.OWNER;
  if ('author' in data && (data.author === null || user.role < 3)) data.author = user._id;
  if (type === 'ChatMessage' && !data.timestamp) data.timestamp = Date.now();
  return data;
}

/** Where a request works: a list of data; or a token's own actor, whose changes go to the token's delta. */
function place(database, { type, parentUuid, pack }, user) {
  if (!parentUuid) return { list: root(database, type, pack) };
  const parent = locate(database, parentUuid, user);
  if (type === 'Actor') return { parent, token: parent.data, actor: tokenActor(database, parent, user) };
  const field = fieldIn(parent.type, type);
  if (field === undefined) throw new Refused(`${type} is not embedded in ${parent.type}`);
  parent.data[field] ??= [];
  return { parent, list: parent.data[field], field, token: parent.token };
}

const actions = { create, update, delete: remove };

function create(database, { list, parent, token, field }, { type, data, options }, user) {
  const above = { parentType: parent?.type, parentLevel: parent?.level, level: parent?.level };
  return data.map((entry) => {
    check(database, user, 'create', { type, data: entry, ...above });
    const made = claim(giveIds(deepClone(entry), type, options.keepId), type, user);
    stamp(database, made, user, true);
    if (token) keepIn(token.delta, field, made);
    list.push(made);
    return made;
  });
}

function update(database, { list, parent, token, field, actor }, { type, data }, user) {
  return data.map((changes) => {
    const at = actor?.data ?? byId(list, changes._id);
    if (!at) throw new Refused(`${type} [${changes._id}] does not exist`);
    const level = actor ? actor.level : levelIn(database, { type, data: at, parent }, user);
    const above = { parentType: parent?.type, parentLevel: parent?.level };
    check(database, user, 'update', { type, data: at, changes, level, ...above });
    merge(actor ? token.delta : at, changes, type);
    if (actor) token.delta._id = token._id;
    if (token && field) keepIn(token.delta, field, at);
    stamp(database, at, user);
    return changes;
  });
}

function remove(database, { list, parent, token, field }, { type, data }, user) {
  return data.map((id) => {
    const at = byId(list, id);
    if (!at) throw new Refused(`${type} [${id}] does not exist`);
    const level = levelIn(database, { type, data: at, parent }, user);
    const above = { parentType: parent?.type, parentLevel: parent?.level };
    check(database, user, 'delete', { type, data: at, level, ...above });
    list.splice(list.indexOf(at), 1);
    if (token && field) keepIn(token.delta, field, { _id: id, _tombstone: true });
    return id;
  });
}

function keepIn(delta, field, entry) {
  delta[field] = [...(delta[field] ?? []).filter(({ _id }) => _id !== entry._id), entry];
}

/** What follows from a change by the tabletop's own rules: one active scene; what lies in a deleted folder comes out of it. */
function* consequences({ documents }, { action, type, results, pack }) {
  if (pack) return;
  for (const result of results) {
    if (type === 'Scene' && result.active === true) {
      yield patch(
        'Scene',
        documents.scenes.filter(({ _id, active }) => active && _id !== result._id),
        { active: false },
      );
    }
    if (type === 'Folder' && action === 'delete') {
      for (const [name, collection] of Object.entries(worldCollections)) {
        yield patch(
          name,
          documents[collection].filter(({ folder }) => folder === result),
          { folder: null },
        );
      }
    }
  }
}

function patch(type, list, changes) {
  for (const data of list) Object.assign(data, changes);
  return { action: 'update', type, results: list.map(({ _id }) => ({ _id, ...changes })) };
}

export function createDatabase(database) {
  const userOf = (id) => byId(database.documents.users, id);
  return {
    ...database,
    userOf,
    may: (userId, permission) => hasPermission(userOf(userId), permission, permissionsOf(database)),
    /** The world's own documents of a kind that have these values. */
    find: (type, query) =>
      root(database, type).filter((data) =>
        Object.entries(query).every(([field, value]) => data[field] === value),
      ),
    /** Applies a request of a user: the changes to tell everybody, the first of them the one that was asked for. */
    modify(request, userId) {
      const { action, type, parentUuid, pack, options } = request;
      const user = userOf(userId);
      const where = place(database, request, user);
      if (!where.list && !where.actor)
        throw new Refused(`${type} has no collection${pack ? ` in ${pack}` : ''}`);
      if (pack && database.packs.get(pack).metadata.locked) {
        throw new Refused(`You may not ${action} documents in the locked compendium ${pack}`);
      }
      const results = actions[action](database, where, request, user);
      const common = { userId, parentUuid: null, pack: null, options: {} };
      const change = { ...common, action, type, parentUuid, pack, options, results: deepClone(results) };
      if (where.token) {
        const uuid = parentUuid.split('.Actor.')[0];
        change.delta = { uuid, data: deepClone(where.token.delta) };
      }
      const rest = [...consequences(database, change)].filter((extra) => extra.results.length > 0);
      return [change, ...rest.map((extra) => ({ ...common, ...extra }))].map((one) => ({
        ...one,
        change: randomID(8),
      }));
    },
  };
}
