/**
 * What makes the stand-in strict: an object of the tabletop answers its known members only, throws the name of any other, and
 * records what is deprecated in the version that it plays. The tables (`facts/core.json`) decide what is known.
 */

const universal = new Set([
  'constructor',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'toLocaleString',
  'toString',
  'valueOf',
  '__proto__',
  '__defineGetter__',
  '__lookupGetter__',
  'then',
  'toJSON',
]);
const ofFunctions = new Set(['prototype', 'name', 'length', 'apply', 'call', 'bind', 'arguments', 'caller']);

/** Each is read by tests: a module that swallows the error of an unknown member is still seen. */
export const records = { unknown: [], deprecated: [], errors: [], notified: [] };

/** `isStrict`: an unknown member throws; else it is noted alone, and undefined as in the tabletop. */
export const facts = { core: {}, documents: {}, dnd5e: {}, generation: 0, dnd5eFamily: '', isStrict: true };

const generations = (range) => {
  const [from, to = from] = range.split('-').map(Number);
  return (generation) => generation >= from && generation <= to;
};

/** Names that all versions have, as a table. */
export const everywhere = (names) => Object.fromEntries(names.map((name) => [name, '12-14']));

/** Reads `static 12-14 deprecated 13-14`. */
export function readFact(text) {
  if (!text) return undefined;
  const [, isStatic, range, deprecated] = /^(static )?(\S+)(?: deprecated (\S+))?$/.exec(text);
  return {
    isStatic: isStatic !== undefined,
    isKnown: generations(range)(facts.generation),
    isDeprecated: deprecated !== undefined && generations(deprecated)(facts.generation),
  };
}

class UnknownMember extends Error {
  name = 'UnknownMember';
}

const platform = () => `Foundry ${facts.generation} with dnd5e ${facts.dnd5eFamily}`;

export function unknown(name) {
  records.unknown.push(name);
  if (!facts.isStrict) return undefined;
  throw new UnknownMember(`${name} is no member in ${platform()}`);
}

function lacking(name) {
  records.unknown.push(`${name} (not built)`);
  if (!facts.isStrict) return undefined;
  throw new UnknownMember(
    `${name} is a member in ${platform()}, and the stand-in lacks it: build it there first`,
  );
}

export function deprecated(name) {
  if (!records.deprecated.includes(name)) records.deprecated.push(name);
}

/** Our own names of an object of the tabletop: symbols pass the proxies. */
const parts = Symbol('parts');
/** Marks classes that are the stand-in's: what a module adds in a subclass of them is its own. */
const own = Symbol('own');

/** The known member names of a class and of those that it extends; `*` before a name = a static one. */
const known = new Map();

/** Declares the class `name`: its table, its parents' and members known from elsewhere (`more`: name -> a fact; `*name` = static). */
export function declare(name, { parents = [], more = {} } = {}) {
  const members = new Map();
  for (const parent of parents)
    for (const [key, fact] of known.get(parent) ?? declare(parent)) members.set(key, fact);
  for (const [key, text] of Object.entries({ ...facts.core.classes?.[name], ...more })) {
    const fact = readFact(text);
    const name = fact.isStatic ? `*${key}` : key;
    if (fact.isKnown) members.set(name, fact);
    // A later version may drop what a parent has.
    else members.delete(name);
  }
  known.set(name, members);
  return members;
}

/** Whether a member of that name comes from a subclass or an instance that a module made. */
function isModules(target, key) {
  for (let at = target; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    const isOurs = Object.hasOwn(at, own);
    if (Object.hasOwn(at, key))
      return !isOurs && (at !== target || !Object.hasOwn(at, parts) || target[parts]?.has?.(key));
    if (isOurs) return false;
  }
  return false;
}

function read(target, key, receiver, { name, sign }) {
  if (typeof key === 'symbol' || universal.has(key)) return Reflect.get(target, key, receiver);
  if (sign === '*' && ofFunctions.has(key)) return Reflect.get(target, key, receiver);
  const label = sign === '*' ? `${name}.${key}` : `${name}#${key}`;
  const fact = known.get(name)?.get(sign + key);
  if (!fact) {
    if (isModules(target, key)) return Reflect.get(target, key, receiver);
    return unknown(label);
  }
  if (fact.isDeprecated) deprecated(label);
  if (!(key in target)) return lacking(label);
  return Reflect.get(target, key, receiver);
}

function has(target, key, { name, sign }) {
  if (typeof key === 'symbol' || universal.has(key) || ofFunctions.has(key)) return Reflect.has(target, key);
  return key in target && (known.get(name)?.has(sign + key) === true || isModules(target, key));
}

/**
 * An instance that is read by the table of `name`. `isOpen`: a module may hang members of its own on it; `isOwned`: it is a
 * module's, which also looks for members that it has not hung there yet.
 */
export function strict(target, name, { isOpen = false, isOwned = false } = {}) {
  const kind = { name, sign: '' };
  if (!samples.has(name)) samples.set(name, target);
  const added = new Set();
  if (isOpen) target[parts] = added;
  return new Proxy(target, {
    get(of, key, receiver) {
      if (added.has(key) || (isOwned && !known.get(name)?.has(key))) return Reflect.get(of, key, receiver);
      return read(of, key, receiver, kind);
    },
    has: (of, key) => has(of, key, kind),
    set(of, key, value, receiver) {
      if (typeof key !== 'symbol' && !known.get(name)?.has(key)) {
        if (!isOpen && !isModules(of, key)) unknown(`${name}#${key} =`);
        added.add(key);
      }
      return Reflect.set(of, key, value, receiver);
    },
    defineProperty(of, key, value) {
      if (isOpen && typeof key !== 'symbol' && !known.get(name)?.has(key)) added.add(key);
      return Reflect.defineProperty(of, key, value);
    },
  });
}

/** A class whose static members are read by the table of `name`. */
export function strictClass(cls, name) {
  const kind = { name, sign: '*' };
  if (!samples.has(`*${name}`)) samples.set(`*${name}`, cls);
  Object.defineProperty(cls, own, { value: name });
  Object.defineProperty(cls.prototype, own, { value: name });
  return new Proxy(cls, {
    get(of, key, receiver) {
      // A module's subclass reads and adds its own.
      if (receiver !== of && typeof receiver === 'function' && !Object.hasOwn(receiver, own) && key in of) {
        return Reflect.get(of, key, receiver);
      }
      return read(of, key, receiver, kind);
    },
    has: (of, key) => has(of, key, kind),
  });
}

/** What each table was first used for: an instance, and a class under `*name`. */
const samples = new Map();

/** Members that the version has of what this page made, that are not on their way out, and that nobody built. */
export const notBuilt = () =>
  [...samples].flatMap(([label, target]) => {
    const sign = label.startsWith('*') ? '*' : '';
    const members = [...known.get(label.slice(sign.length))].filter(
      ([key]) => key.startsWith('*') === (sign === '*'),
    );
    return members
      .filter(([key, { isDeprecated }]) => !isDeprecated && !(key.slice(sign.length) in target))
      .map(([key]) => `${label.slice(sign.length)}${sign ? '.' : '#'}${key.slice(sign.length)}`);
  });

/** A plain namespace (`foundry.utils`, `CONST`, `ui`): its own keys are the known ones. */
export function strictSpace(target, name, { deprecatedKeys = [], isOpen = false } = {}) {
  return new Proxy(target, {
    get(of, key, receiver) {
      if (typeof key === 'symbol' || universal.has(key)) return Reflect.get(of, key, receiver);
      if (!(key in of)) return unknown(`${name}.${key}`);
      if (deprecatedKeys.includes(key)) deprecated(`${name}.${key}`);
      return Reflect.get(of, key, receiver);
    },
    set(of, key, value, receiver) {
      if (typeof key !== 'symbol' && !isOpen && !(key in of)) unknown(`${name}.${key} =`);
      return Reflect.set(of, key, value, receiver);
    },
  });
}

const views = new WeakMap();

/** Data of a document: a key that its schema lacks throws its path. Arrays, flags and tables of ids are free. */
export function strictData(value, path, isFree = () => false) {
  if (!value || typeof value !== 'object' || Array.isArray(value) || !isPlain(value) || isFree(path))
    return value;
  const seen = views.get(value);
  if (seen) return seen;
  const view = new Proxy(value, {
    get(of, key, receiver) {
      if (typeof key === 'symbol' || universal.has(key)) return Reflect.get(of, key, receiver);
      if (!(key in of)) return unknown(`${path}.${key}`);
      return strictData(Reflect.get(of, key, receiver), `${path}.${key}`, isFree);
    },
  });
  views.set(value, view);
  return view;
}

export const isPlain = (value) =>
  value !== null &&
  typeof value === 'object' &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value));

/** A global of older versions, which answers still and is recorded from `since` on. */
export function defineGlobal(name, value) {
  const range = facts.core.globals[name] || '12-14';
  const isPlainGlobal = generations(range)(facts.generation);
  Object.defineProperty(globalThis, name, {
    configurable: true,
    get() {
      if (!isPlainGlobal || namespaced().has(name)) deprecated(`global ${name}`);
      return value;
    },
  });
}

/** Globals that stand in a namespace since 13 (documents and what the core itself keeps plain are not among them). */
const namespaced = () =>
  facts.generation < 13
    ? new Set()
    : new Set(
        [
          'TextEditor',
          'FilePicker',
          'renderTemplate',
          'loadTemplates',
          'Dialog',
          'Application',
          'FormApplication',
        ].concat([
          'DocumentSheet',
          'ContextMenu',
          'SearchFilter',
          'Token',
          'Ray',
          'AudioHelper',
          'ImageHelper',
        ]),
      );
