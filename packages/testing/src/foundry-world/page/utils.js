import { deprecated, facts, isPlain } from './strict.js';

/** `foundry.utils`: functions over plain data. */

const isDeletion = (key) => key.startsWith('-=');

export function deepClone(value) {
  if (Array.isArray(value)) return value.map(deepClone);
  if (value instanceof Set) return new Set([...value].map(deepClone));
  if (value instanceof Date) return new Date(value);
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, deepClone(inner)]));
}

export function getProperty(object, path) {
  if (!path || !object) return undefined;
  if (path in object) return object[path];
  let at = object;
  for (const key of path.split('.')) {
    if (at === null || at === undefined || !(key in Object(at))) return undefined;
    at = at[key];
  }
  return at;
}

function hasProperty(object, path) {
  if (!path || !object) return false;
  if (path in object) return true;
  let at = object;
  for (const key of path.split('.')) {
    if (at === null || typeof at !== 'object' || !(key in at)) return false;
    at = at[key];
  }
  return true;
}

export function setProperty(object, path, value) {
  const keys = path.split('.');
  const last = keys.pop();
  let at = object;
  for (const key of keys) {
    if (typeof at[key] !== 'object' || at[key] === null) at[key] = {};
    at = at[key];
  }
  if (last in at && at[last] === value) return false;
  at[last] = value;
  return true;
}

/** The dotted keys of `object` as an object of objects. */
export function expandObject(object) {
  if (Array.isArray(object)) return object.map(expandObject);
  if (!isPlain(object)) return object;
  const out = {};
  for (const [key, value] of Object.entries(object)) {
    const inner = expandObject(value);
    const at = key.includes('.') ? getProperty(out, key) : out[key];
    if (isPlain(at) && isPlain(inner)) mergeObject(at, inner);
    else setProperty(out, key, inner);
  }
  return out;
}

function flattenObject(object) {
  const out = {};
  for (const [key, value] of Object.entries(object)) {
    if (isPlain(value) && Object.keys(value).length > 0) {
      for (const [inner, leaf] of Object.entries(flattenObject(value))) out[`${key}.${inner}`] = leaf;
    } else out[key] = value;
  }
  return out;
}

export function mergeObject(original, other = {}, options = {}) {
  const {
    insertKeys = true,
    insertValues = true,
    overwrite = true,
    recursive = true,
    inplace = true,
  } = options;
  const applies = options.performDeletions ?? options.applyOperators ?? false;
  if (options.performDeletions !== undefined && facts.generation >= 14)
    deprecated('mergeObject performDeletions');
  const out = inplace ? original : deepClone(original);
  const source = Object.keys(other).some((key) => key.includes('.')) ? expandObject(other) : other;
  for (const [key, value] of Object.entries(source)) {
    if (isDeletion(key) || value?.[operator] === 'delete') {
      if (applies) delete out[isDeletion(key) ? key.slice(2) : key];
      else if (!isDeletion(key)) out[key] = value;
    } else if (key in out) {
      if (isPlain(out[key]) && isPlain(value) && recursive) {
        mergeObject(out[key], value, {
          ...options,
          inplace: true,
          insertKeys: insertValues,
          performDeletions: undefined,
          applyOperators: applies,
        });
      } else if (overwrite) out[key] = value?.[operator] === 'replace' ? value.value : deepClone(value);
    } else if (insertKeys)
      out[key] = value?.[operator] === 'replace' ? value.value : withoutDeletions(value, applies);
  }
  return out;
}

function withoutDeletions(value, applies) {
  if (!isPlain(value) || !applies) return deepClone(value);
  return mergeObject({}, value, { applyOperators: true });
}

/** Marks an operator of an update (14): `delete` or `replace`. It goes over the wire as `{ $operator, value }`. */
export const operator = Symbol('operator');

/** What 14 puts in an update instead of `-=key`. */
export class ForcedDeletion {
  static create() {
    return new this();
  }
  get [operator]() {
    return 'delete';
  }
}

export class ForcedReplacement {
  constructor(value) {
    this.value = value;
  }
  static create(value) {
    return new this(value);
  }
  get [operator]() {
    return 'replace';
  }
}

export function diffObject(original, other) {
  const out = {};
  for (const [key, value] of Object.entries(other)) {
    if (isDeletion(key)) {
      if (key.slice(2) in original) out[key] = value;
    } else if (isPlain(value) && isPlain(original[key])) {
      const inner = diffObject(original[key], value);
      if (Object.keys(inner).length > 0) out[key] = inner;
    } else if (!equals(original[key], value)) out[key] = value;
  }
  return out;
}

function equals(left, right) {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((value, index) => equals(value, right[index]));
  }
  if (!isPlain(left) || !isPlain(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => key in right && equals(left[key], right[key]))
  );
}

function filterObject(source, template) {
  return Object.fromEntries(
    Object.entries(source)
      .filter(([key]) => key in template)
      .map(([key, value]) => [
        key,
        isPlain(value) && isPlain(template[key]) ? filterObject(value, template[key]) : value,
      ]),
  );
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export function randomID(length = 16) {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => letters[byte % letters.length]).join('');
}

function isNewerVersion(left, right) {
  const [a, b] = [left, right].map((version) => String(version).split('.'));
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const [one, two] = [a[index] ?? '0', b[index] ?? '0'];
    if (one === two) continue;
    return Number.isNaN(Number(one) + Number(two)) ? one > two : Number(one) > Number(two);
  }
  return false;
}

function getType(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'Array';
  if (typeof value !== 'object') return typeof value;
  return isPlain(value) ? 'Object' : (value.constructor?.name ?? 'Object');
}

export function isEmpty(value) {
  if (value === null || value === undefined) return true;
  if (value instanceof Map || value instanceof Set) return value.size === 0;
  return typeof value === 'object' ? Object.keys(value).length === 0 : true;
}

function debounce(run, delay) {
  let timer;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...args), delay);
  };
}

function throttle(run, delay) {
  let last = -Infinity;
  return (...args) => {
    if (performance.now() - last < delay) return;
    last = performance.now();
    run(...args);
  };
}

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' };
export const escapeHTML = (value) => String(value).replaceAll(/[&<>"']/g, (letter) => entities[letter]);
const unescapeHTML = (value) =>
  Object.entries(entities).reduce((text, [letter, entity]) => text.replaceAll(entity, letter), String(value));

/** The tabletop's own cleaning: tags and attributes that run something go. */
function cleanHTML(raw) {
  const page = new DOMParser().parseFromString(raw, 'text/html');
  for (const element of page.body.querySelectorAll('script, object, embed, link, style, base, meta'))
    element.remove();
  for (const element of page.body.querySelectorAll('*')) {
    for (const { name, value } of Array.from(element.attributes)) {
      if (/^on/i.test(name) || /^\s*javascript:/i.test(value)) element.removeAttribute(name);
    }
  }
  return page.body.innerHTML;
}

function deepFreeze(value) {
  if (isPlain(value) || Array.isArray(value)) for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}

const sizes = ['B', 'kB', 'MB', 'GB'];

async function fetchWithTimeout(url, data = {}, { timeoutMs = 30_000 } = {}) {
  const signal = timeoutMs === null ? undefined : AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { ...data, signal });
  if (!response.ok) throw new Error(`${response.status} of ${url}`);
  return response;
}

/** All of `foundry.utils`, by name; `namespace` takes those of the version. */
export const utilities = {
  mergeObject,
  deepClone,
  getProperty,
  setProperty,
  hasProperty,
  expandObject,
  flattenObject,
  diffObject,
  filterObject,
  randomID,
  isNewerVersion,
  debounce,
  throttle,
  cleanHTML,
  isEmpty,
  getType,
  deepFreeze,
  escapeHTML,
  unescapeHTML,
  fetchWithTimeout,
  isDeletionKey: isDeletion,
  objectsEqual: equals,
  equals,
  duplicate: (value) => JSON.parse(JSON.stringify(value)),
  fetchJsonWithTimeout: async (...args) => (await fetchWithTimeout(...args)).json(),
  getRoute: (path) => `/${path.replace(/^\/+/, '')}`,
  invertObject: (object) => Object.fromEntries(Object.entries(object).map(([key, value]) => [value, key])),
  logCompatibilityWarning: (message) => deprecated(message),
  isSubclass: (cls, parent) => cls === parent || cls.prototype instanceof parent,
  getParentClasses(cls) {
    const out = [];
    for (let at = Object.getPrototypeOf(cls); at?.prototype; at = Object.getPrototypeOf(at)) out.push(at);
    return out;
  },
  formatFileSize(size) {
    let [value, step] = [size, 0];
    for (; value >= 1e3 && step < 3; step += 1) value /= 1e3;
    return `${Math.round(value * 100) / 100}${sizes[step]}`;
  },
  timeSince(time) {
    const seconds = Math.max(0, Math.round((Date.now() - new Date(time)) / 1e3));
    return seconds < 60 ? `${seconds}s ago` : `${Math.round(seconds / 60)}m ago`;
  },
  saveDataToFile(data, type, filename) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([data], { type }));
    link.download = filename;
    link.click();
  },
  readTextFromFile: (file) => file.text(),
};
