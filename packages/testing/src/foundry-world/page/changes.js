import { afterHook, beforeChange, inner, onChange, source, world } from './parts.js';
import { reindex } from './compendia.js';
import { embedded, worldCollections } from './model.js';
import { deepClone, isEmpty } from './utils.js';

/** Changes of documents as the server sends them: applied in every browser, with the hooks that each fires. */

const done = new Map();
world.applied = {
  take(change) {
    const documents = done.get(change) ?? [];
    done.delete(change);
    return documents;
  },
};

/** The document of a uuid of this world, if it is here. */
export function resolve(uuid) {
  const steps = uuid.split('.');
  let at;
  if (steps[0] === 'Compendium') {
    const [, scope, name, , id] = steps.splice(0, 5);
    at = world.packs.get(`${scope}.${name}`)?.get(id);
  } else {
    const [type, id] = steps.splice(0, 2);
    at = world.collections[worldCollections[type]]?.get(id);
  }
  while (at && steps.length > 1) {
    const [type, id] = steps.splice(0, 2);
    if (type === 'Actor' && at.documentName === 'Token') at = at.actor;
    else if (type === 'ActorDelta') at = at.delta;
    else at = at.getEmbeddedCollection(type).get(id);
  }
  return at ?? null;
}

/** The collection that a change is about, and the array of data behind it. */
function placeOf({ type, parentUuid, pack }) {
  if (parentUuid) {
    const parent = resolve(parentUuid);
    if (!parent) return undefined;
    // A token's own actor is no member of a collection.
    if (type === 'Actor') return { parent, collection: new Map([[parent.actor?.id, parent.actor]]) };
    const field = Object.keys(embedded[parent.documentName]).find(
      (key) => embedded[parent.documentName][key] === type,
    );
    return { parent, collection: parent[inner].collections[field], data: parent[source][field] };
  }
  if (pack) return { collection: world.packs.get(pack) };
  return { collection: world.collections[worldCollections[type]] };
}

/** The token's delta after a change of its own actor. */
function setDelta({ uuid, data }) {
  const token = resolve(uuid);
  if (!token) return;
  token[source].delta = data;
  token.delta[source].system = data.system;
}

export function apply(message) {
  const { action, type, results, options, userId, change, pack } = message;
  const place = placeOf(message);
  if (!place?.collection) return;
  const by = { create, update, delete: remove }[action];
  const documents = by(place, message).filter(Boolean);
  if (userId === game.user.id) done.set(change, documents);
  if (message.delta) setDelta(message.delta);
  place.parent?.prepareData();
  documents.forEach((document, index) => {
    const shared = { ...options, action, parent: place.parent ?? null };
    const args = action === 'update' ? [deepClone(results[index])] : [];
    document[onChange]?.(action, {
      changed: args[0],
      options: shared,
      userId,
      before: message.before?.[index],
    });
    world.hooks.callAll(`${action}${type}`, document, ...args, shared, userId);
    document[afterHook]?.(action, { changed: args[0], options: shared, userId });
  });
  if (pack) {
    const compendium = game.packs.get(pack);
    compendium[reindex]();
    world.hooks.callAll('updateCompendium', compendium, documents, { ...options }, userId);
  }
}

function create({ parent, collection, data }, { type, results, pack }) {
  return results.map((result) => {
    if (data && !data.some(({ _id: id }) => id === result._id)) data.push(result);
    const document = new world.classes[type](result, { parent: parent ?? null, pack });
    if (data) data[data.findIndex(({ _id: id }) => id === result._id)] = document[source];
    collection.set(result._id, document);
    return document;
  });
}

function update({ collection }, message) {
  message.before = [];
  return message.results.map((changes, index) => {
    const document = collection.get(changes._id);
    if (!document) return undefined;
    message.before[index] = document[beforeChange]?.();
    merge(document[source], changes, document.documentName, document);
    document[inner].prepared = {};
    return document;
  });
}

/** Merges changes; embedded ones are of the documents in their collections. */
function merge(data, changes, type, document) {
  for (const [key, value] of Object.entries(changes)) {
    const child = embedded[type]?.[key];
    if (child && Array.isArray(value)) {
      for (const entry of value) {
        const at = document[inner].collections[key].get(entry._id);
        if (at) merge(at[source], entry, child, at);
      }
    } else if (key.startsWith('-=')) delete data[key.slice(2)];
    else if (key.startsWith('==')) data[key.slice(2)] = value;
    else if (isObject(value) && isObject(data[key]) && !isEmpty(value)) merge(data[key], value);
    else if (isObject(value)) {
      data[key] = isObject(data[key]) ? data[key] : {};
      merge(data[key], value);
    } else data[key] = value;
  }
}

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

function remove({ collection, data }, { results }) {
  return results.map((id) => {
    const document = collection.get(id);
    collection.delete(id);
    if (data) data.splice(0, data.length, ...data.filter(({ _id: other }) => other !== id));
    return document;
  });
}
