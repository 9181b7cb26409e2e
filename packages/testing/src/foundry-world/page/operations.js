import { worldCollections } from './model.js';
import { migrate, preCreate, source, world } from './parts.js';
import { deprecated, facts } from './strict.js';
import { deepClone, diffObject, expandObject, operator } from './utils.js';

/** Creating, updating and deleting documents: what is asked before, and what is sent. The change itself comes back to all browsers. */

const isTable = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/** What travels of an operation: no documents, which the other side has. */
function wire(operation) {
  const { parent, pack, ...options } = operation;
  return { parentUuid: parent?.uuid ?? null, pack: parent ? parent.pack : (pack ?? null), options };
}

const hookOptions = ({ parent, ...options }, action) => ({ ...options, action, parent: parent ?? null });

function refuse(cls, action, document) {
  const name = document.name ?? document.id;
  const error = `User ${game.user.name} lacks permission to ${action} ${cls.documentName} [${name}]`;
  ui.notifications.error(error);
  throw new Error(error);
}

export async function createAll(cls, data, operation) {
  const type = cls.documentName;
  const accepted = [];
  for (const entry of data) {
    const plain = plainOf(entry);
    if (!operation.keepId) plain._id = null;
    const draft = new cls.implementation(expandObject(plain), {
      parent: operation.parent ?? null,
      pack: operation.pack,
    });
    if (!draft.canUserModify(game.user, 'create', plain)) refuse(cls, 'create', draft);
    const options = hookOptions(operation, 'create');
    if ((await draft[preCreate]?.(plain, options, game.user)) === false) continue;
    if (!operation.noHook && !world.hooks.call(`preCreate${type}`, draft, plain, options, game.user.id))
      continue;
    accepted.push(draft.toObject());
  }
  if (accepted.length === 0) return [];
  return world.connection
    .request('modify', { action: 'create', type, data: accepted, ...wire(operation) })
    .then(applied);
}

const plainOf = (entry) => (entry?.toObject ? entry.toObject() : deepClone(entry));

export async function updateAll(cls, updates, operation) {
  const type = cls.documentName;
  const accepted = [];
  for (const update of updates) {
    const { _id: id, ...rest } = update;
    const document = find(cls, id, operation);
    if (!document) throw new Error(`${type} [${id}] does not exist`);
    const changes = forWire(expandObject(rest));
    if (!document.canUserModify(game.user, 'update', changes)) refuse(cls, 'update', document);
    document[migrate]?.(changes);
    const changed = operation.diff === false ? changes : diffObject(document[source], changes);
    if (Object.keys(changed).length === 0) continue;
    const options = hookOptions({ diff: true, ...operation }, 'update');
    if (!operation.noHook && !world.hooks.call(`preUpdate${type}`, document, changed, options, game.user.id))
      continue;
    accepted.push({ ...changed, _id: id });
  }
  if (accepted.length === 0) return [];
  return world.connection
    .request('modify', { action: 'update', type, data: accepted, ...wire(operation) })
    .then(applied);
}

/** Operators of 14 travel as the keys that they replace; those keys by themselves are the old way there. */
function forWire(changes) {
  const out = {};
  for (const [key, value] of Object.entries(changes)) {
    if (value?.[operator] === 'delete') out[`-=${key}`] = null;
    else if (value?.[operator] === 'replace') out[`==${key}`] = value.value;
    else {
      if (key.startsWith('-=') && facts.generation >= 14) deprecated('update with a -= key');
      out[key] =
        isTable(value) && Object.getPrototypeOf(value) === Object.prototype
          ? forWire(value)
          : plainValue(value);
    }
  }
  return out;
}

const plainValue = (value) => (value instanceof Set ? [...value] : deepClone(value));

function find(cls, id, { parent, pack }) {
  if (parent?.documentName === 'Token' && cls.documentName === 'Actor') return parent.actor;
  if (parent) return parent.getEmbeddedCollection(cls.documentName).get(id);
  if (pack) return world.packs.get(pack)?.get(id);
  return world.collections[worldCollections[cls.documentName]]?.get(id);
}

export async function deleteAll(cls, ids, operation) {
  const type = cls.documentName;
  const { parent, pack } = operation;
  const all =
    parent?.getEmbeddedCollection(type) ??
    (pack ? world.packs.get(pack) : world.collections[worldCollections[type]]);
  const accepted = [];
  for (const id of operation.deleteAll ? [...all.keys()] : ids) {
    const document = find(cls, id, operation);
    if (!document) throw new Error(`${type} [${id}] does not exist`);
    if (!document.canUserModify(game.user, 'delete')) refuse(cls, 'delete', document);
    if (
      !operation.noHook &&
      !world.hooks.call(`preDelete${type}`, document, hookOptions(operation, 'delete'), game.user.id)
    )
      continue;
    accepted.push(id);
  }
  if (accepted.length === 0) return [];
  return world.connection
    .request('modify', { action: 'delete', type, data: accepted, ...wire(operation) })
    .then(applied);
}

/** `CONFIG.DatabaseBackend`: what the server has now, as documents that stand in no collection. */
export const backend = {
  async get(cls, { query = {} }) {
    const { results } = await world.connection.request('get', { type: cls.documentName, query });
    return results.map((data) => new cls.implementation(data));
  },
};

/** The documents of a change that has been applied: the server sends it to all before it answers. */
const applied = ({ change }) => world.applied.take(change);
