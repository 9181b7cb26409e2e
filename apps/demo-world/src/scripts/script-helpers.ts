/** The first statements of what scripts find: the helpers for plain data and the collections that tabletops have. */
export const scriptHelpers = String.raw`
  const own = (target, fields) => {
    for (const [name, value] of Object.entries(fields))
      Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });
    return target;
  };
  const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
  const copy = (value) => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
  const randomID = (length = 16) => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
    return Array.from({ length }, () => letters[Math.floor(Math.random() * letters.length)]).join('');
  };
  const getProperty = (source, path) =>
    String(path).split('.').reduce((value, key) => (value === null || value === undefined ? undefined : value[key]), source);
  const setProperty = (target, path, value) => {
    const parts = String(path).split('.');
    const last = parts.pop();
    for (const key of parts) target = isObject(target[key]) ? target[key] : (target[key] = {});
    target[last] = value;
    return true;
  };
  /** Merges as documents are: dotted names lead within, and "-=name" removes. */
  const mergeObject = (original, other = {}, { inplace = true } = {}) => {
    const target = inplace ? original : copy(original);
    for (const [path, value] of Object.entries(other)) {
      const parts = path.split('.');
      const last = parts.pop();
      let at = target;
      for (const key of parts) at = isObject(at[key]) ? at[key] : (at[key] = {});
      if (last.startsWith('-=')) delete at[last.slice(2)];
      else if (isObject(value) && isObject(at[last]) && !(at[last] instanceof Map)) mergeObject(at[last], value);
      else if (!(at[last] instanceof Map)) at[last] = copy(value);
    }
    return target;
  };
  const flattenObject = (source, prefix = '') =>
    Object.entries(source).reduce(
      (flat, [key, value]) =>
        isObject(value) && Object.keys(value).length > 0
          ? { ...flat, ...flattenObject(value, prefix + key + '.') }
          : { ...flat, [prefix + key]: value },
      {},
    );
  const utils = {
    deepClone: copy, duplicate: copy, getProperty, setProperty, mergeObject, flattenObject, randomID,
    hasProperty: (source, path) => getProperty(source, path) !== undefined,
    expandObject: (flat) => mergeObject({}, flat),
    isEmpty: (value) => value === undefined || value === null || Object.keys(value).length === 0,
    getType: (value) => (value === null ? 'null' : Array.isArray(value) ? 'Array' : typeof value),
  };

  /** Iterates over its values, as the tabletop's collections do. */
  class Collection extends Map {
    get contents() { return [...this.values()]; }
    [Symbol.iterator]() { return this.values(); }
    get(id, { strict = false } = {}) {
      const found = super.get(id);
      if (found === undefined && strict) throw new Error('The key ' + id + ' does not exist in the collection');
      return found;
    }
    getName(name, { strict = false } = {}) {
      const found = this.find((one) => one.name === name);
      if (found === undefined && strict) throw new Error('There is none with the name ' + name);
      return found;
    }
    toJSON() { return this.contents.map((one) => (typeof one?.toJSON === 'function' ? one.toJSON() : one)); }
  }
  for (const name of ['map', 'filter', 'find', 'some', 'every', 'reduce'])
    own(Collection.prototype, { [name](...given) { return this.contents[name](...given); } });
`;
