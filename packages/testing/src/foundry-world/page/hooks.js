import { deprecated, facts, readFact, records, strictClass, declare } from './strict.js';

const listeners = new Map();
let last = 0;

/** Hooks of documents, applications, placeables and layers are named by pattern; those of a system or module have a dot or dash. */
const ofDocuments = /^(?:preCreate|create|preUpdate|update|preDelete|delete)([A-Z]\w+)$/;
const ofPlaceables = /^(?:control|hover|draw|refresh|destroy)([A-Z]\w+)$/;
const others = [
  /^(render|close|getHeaderControls)[A-Z]\w*$/,
  /^get\w+HeaderButtons$/,
  /^(draw|tearDown|activate|deactivate)\w+(Layer|Group)$/,
];

function fits(hook) {
  const [, name] = ofDocuments.exec(hook) ?? ofPlaceables.exec(hook) ?? [];
  if (name !== undefined && readFact(facts.core.documents[name])?.isKnown) return true;
  return others.some((pattern) => pattern.test(hook));
}
const isOthers = (hook) => /[.:-]/.test(hook);

/** A hook that the version never fires is as wrong as an unknown member: a listener of it waits for nothing. */
function check(hook) {
  const text = facts.core.hooks[hook];
  if (text !== undefined) {
    const fact = readFact(text);
    if (fact.isDeprecated) deprecated(`hook ${hook}`);
    if (!fact.isKnown) records.unknown.push(`hook ${hook}`);
  } else if (!isOthers(hook) && !fits(hook) && !isCustom.has(hook)) {
    records.unknown.push(`hook ${hook}`);
  }
}

/** Names that the page's own modules fire: what calls a hook makes it known. */
const isCustom = new Set();

function add(hook, run, once) {
  check(hook);
  const id = ++last;
  listeners.set(hook, [...(listeners.get(hook) ?? []), { id, run, once, hook }]);
  return id;
}

function* each(hook) {
  for (const listener of listeners.get(hook) ?? []) {
    if (listener.once) HooksClass.off(hook, listener.id);
    yield listener.run;
  }
}

class HooksClass {
  static on(hook, run, { once = false } = {}) {
    return add(hook, run, once);
  }
  static once(hook, run) {
    return add(hook, run, true);
  }
  static off(hook, idOrRun) {
    listeners.set(
      hook,
      (listeners.get(hook) ?? []).filter(({ id, run }) => id !== idOrRun && run !== idOrRun),
    );
  }
  static call(hook, ...args) {
    isCustom.add(hook);
    for (const run of each(hook)) if (safely(hook, run, args) === false) return false;
    return true;
  }
  static callAll(hook, ...args) {
    isCustom.add(hook);
    for (const run of each(hook)) safely(hook, run, args);
    return true;
  }
  static get events() {
    return Object.fromEntries(listeners);
  }
  static onError(location, error, { msg = '', ...data } = {}) {
    HooksClass.callAll('error', location, error, data);
    records.errors.push(`${location}: ${msg} ${error.message}`);
  }
}

/** One listener's error is no other's. */
function safely(hook, run, args) {
  try {
    return run(...args);
  } catch (error) {
    records.errors.push(`hook ${hook}: ${error.stack ?? error}`);
    console.error(error);
    return undefined;
  }
}

export function createHooks() {
  declare('Hooks');
  return strictClass(HooksClass, 'Hooks');
}

/** How many listeners each hook has, for tests. */
export const countListeners = () =>
  Object.fromEntries(
    [...listeners].filter(([, list]) => list.length > 0).map(([hook, list]) => [hook, list.length]),
  );
