import { world } from './parts.js';
import { declare, everywhere, facts, readFact, records, strict, unknown } from './strict.js';

/** `game.settings` and `game.keybindings`: each value where it lies in truth. Client settings are the origin's, not the world's. */

class ClientSettings {
  constructor(stored) {
    this.settings = new Map();
    this.menus = new Map();
    this.storage = new Map([
      ['client', globalThis.localStorage],
      ['world', stored],
    ]);
    return strict(this, 'ClientSettings');
  }
  register(namespace, key, data) {
    if (!namespace || !key)
      throw new Error('You must specify both namespace and key portions of the setting');
    const scopes = facts.generation >= 13 ? ['world', 'client', 'user'] : ['world', 'client'];
    const scope = data.scope ?? 'client';
    if (!scopes.includes(scope)) unknown(`scope ${scope} of the setting ${namespace}.${key}`);
    this.settings.set(`${namespace}.${key}`, { ...data, scope, namespace, key, id: `${namespace}.${key}` });
  }
  registerMenu(namespace, key, data) {
    if (!namespace || !key || !data?.type)
      throw new Error('A settings menu needs a namespace, a key and a type');
    this.menus.set(`${namespace}.${key}`, { ...data, namespace, key: `${namespace}.${key}` });
  }
  get(namespace, key, { document = false } = {}) {
    const id = `${namespace}.${key}`;
    // Where a report sees null and another sees it gone: whoever asks for it on 14 learns nothing.
    if (id === 'core.rollMode' && facts.generation >= 14) {
      records.unknown.push('setting core.rollMode');
      return null;
    }
    const setting = registered(this, id);
    const entry = setting.scope === 'client' ? undefined : stored(this, setting);
    if (document && entry) return entry;
    const text = setting.scope === 'client' ? localStorage.getItem(id) : entry?._source.value;
    return read(setting, text);
  }
  async set(namespace, key, value, options = {}) {
    const id = `${namespace}.${key}`;
    const setting = registered(this, id);
    const json = JSON.stringify(clean(setting, value));
    if (setting.scope === 'client') {
      const isChanged = localStorage.getItem(id) !== json;
      localStorage.setItem(id, json);
      if (isChanged) {
        const now = read(setting, json);
        setting.onChange?.(now, options);
        if (facts.generation >= 13) world.hooks.callAll('clientSettingChanged', id, now, options);
      }
      return read(setting, json);
    }
    if (!globalThis.game.ready)
      throw new Error('You may not assign the value of a world setting before the game is ready');
    const entry = stored(this, setting);
    const owner = setting.scope === 'user' ? { user: game.user.id } : {};
    if (entry) await entry.update({ value: json }, options);
    else await world.classes.Setting.create({ key: id, value: json, ...owner }, options);
    return read(setting, json);
  }
}

function registered(settings, id) {
  const setting = settings.settings.get(id);
  if (setting) return setting;
  if (id.startsWith('core.')) records.unknown.push(`setting ${id}`);
  throw new Error(`"${id}" is not a registered game setting`);
}

function stored(settings, { id, scope }) {
  const owner = scope === 'user' ? game.userId : null;
  return settings.storage
    .get('world')
    .find(({ _source }) => _source.key === id && (_source.user ?? null) === owner);
}

function read({ type, default: initial }, text) {
  if (text === null || text === undefined || text === '') return structuredClone(initial);
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return structuredClone(initial);
  }
  return cast(type, value);
}

function cast(type, value) {
  if (value === null) return null;
  if (type === Boolean || type === Number || type === String) return type(value);
  if (type?.fromSource) return type.fromSource(value);
  return value;
}

function clean({ type, default: initial, choices, range, id }, value) {
  if (value === undefined) return initial ?? null;
  const cleaned = cast(type, value);
  if (choices && !(cleaned in (typeof choices === 'function' ? choices() : choices)))
    throw new Error(`${cleaned} is no choice of ${id}`);
  if (range && typeof cleaned === 'number') return Math.min(Math.max(cleaned, range.min), range.max);
  return cleaned;
}

/** A change of a world's or user's setting, in every browser. */
export function tellSetting(document, options, userId) {
  const setting = game.settings.settings.get(document.key);
  if (!setting) return;
  if (setting.scope === 'user' && (document._source.user ?? null) !== game.userId) return;
  setting.onChange?.(read(setting, document._source.value), options, userId);
}

const ofCore = {
  'core.rollMode': ['client', 'publicroll', String],
  'core.messageMode': ['client', 'public', String],
  'core.noCanvas': ['client', false, Boolean],
  'core.language': ['client', 'en', String],
  'core.compendiumConfiguration': ['world', {}, Object],
  'core.permissions': ['world', {}, Object],
  'core.time': ['world', 0, Number],
  'core.moduleConfiguration': ['world', {}, Object],
  'core.defaultToken': ['world', {}, Object],
  'core.combatTrackerConfig': ['world', {}, Object],
  'core.diceConfiguration': ['client', {}, Object],
  'core.keybindings': ['client', {}, Object],
  'core.sheetClasses': ['world', {}, Object],
  'core.uiConfig': ['client', {}, Object],
  'core.globalPlaylistVolume': ['client', 0.5, Number],
  'core.globalAmbientVolume': ['client', 0.5, Number],
  'core.globalInterfaceVolume': ['client', 0.5, Number],
  'core.maxFPS': ['client', 60, Number],
};

export function createSettings(storage) {
  declare('ClientSettings');
  const settings = new ClientSettings(storage);
  for (const [id, range] of Object.entries(facts.core.settings)) {
    if (!readFact(range).isKnown) continue;
    const [scope, initial, type] = ofCore[id] ?? ['client', true, Boolean];
    const [namespace, ...key] = id.split('.');
    settings.register(namespace, key.join('.'), { scope, config: false, default: initial, type });
  }
  return settings;
}

class ClientKeybindings {
  constructor() {
    this.actions = new Map();
    this.bindings = new Map();
    document.addEventListener('keydown', (event) => press(this, event, 'onDown'));
    document.addEventListener('keyup', (event) => press(this, event, 'onUp'));
    return strict(this, 'ClientKeybindings');
  }
  register(namespace, action, data) {
    const id = `${namespace}.${action}`;
    this.actions.set(id, { ...data, namespace });
    const own = JSON.parse(localStorage.getItem('core.keybindings') ?? '{}')[id];
    this.bindings.set(id, own ?? [...(data.uneditable ?? []), ...(data.editable ?? [])]);
  }
  get(namespace, action) {
    const id = `${namespace}.${action}`;
    if (!this.actions.has(id)) throw new Error(`"${id}" is not a registered keybinding`);
    return this.bindings.get(id);
  }
  async set(namespace, action, bindings) {
    const id = `${namespace}.${action}`;
    this.bindings.set(id, bindings ?? this.actions.get(id).editable ?? []);
    const all = JSON.parse(localStorage.getItem('core.keybindings') ?? '{}');
    localStorage.setItem('core.keybindings', JSON.stringify({ ...all, [id]: this.bindings.get(id) }));
  }
}

function press({ actions, bindings }, event, which) {
  if (event.target.closest?.('input, textarea, select, [contenteditable=true]')) return;
  const held = ['Control', 'Shift', 'Alt'].filter(
    (name) => event[`${name === 'Control' ? 'ctrl' : name.toLowerCase()}Key`],
  );
  for (const [id, list] of bindings) {
    const { restricted, repeat = false, [which]: run } = actions.get(id);
    if ((restricted && !game.user.isGM) || (event.repeat && !repeat)) continue;
    const fits = ({ key, modifiers = [] }) =>
      key === event.code &&
      modifiers.length === held.length &&
      modifiers.every((name) => held.includes(name));
    if (list.some(fits) && run?.({ key: event.code, event, modifiers: held, action: id }) === true) {
      event.preventDefault();
      return;
    }
  }
}

export function createKeybindings() {
  declare('ClientKeybindings', { more: everywhere(['actions', 'bindings']) });
  return new ClientKeybindings();
}
