import { resolve } from './changes.js';
import { Document, tableOf } from './document.js';
import { world } from './parts.js';
import { worldCollections } from './model.js';
import { defineGlobal, deprecated, facts, readFact, strictSpace } from './strict.js';
import { ForcedDeletion, ForcedReplacement, utilities } from './utils.js';

/** `foundry.*` and the plain globals of the version. */

const isNew = () => facts.generation >= 13;

async function fromUuid(uuid) {
  if (typeof uuid !== 'string' || uuid === '') return null;
  const [first, scope, name, , id] = uuid.split('.');
  if (first === 'Compendium') {
    const pack = game.packs.get(`${scope}.${name}`);
    if (!pack) return null;
    await pack.getDocument(id);
  }
  return resolveAny(uuid);
}

function resolveAny(uuid) {
  const parts = uuid.split('.');
  if (parts[0] !== 'Compendium' && !(parts[0] in worldCollections)) return null;
  // `Actor.x.Item.y.Activity.z` is no document, and still has an address.
  const at = parts.indexOf('Activity');
  if (at > 0) return resolve(parts.slice(0, at).join('.'))?.system.activities?.get(parts[at + 1]) ?? null;
  return resolve(uuid);
}

function fromUuidSync(uuid, { strict = true } = {}) {
  if (typeof uuid !== 'string' || uuid === '') return null;
  const document = resolveAny(uuid);
  if (document || !uuid.startsWith('Compendium.')) return document;
  const [, scope, name, , id, ...rest] = uuid.split('.');
  if (rest.length > 0 && strict)
    throw new Error(
      `fromUuidSync was invoked on UUID '${uuid}' which references an Embedded Document and cannot be retrieved synchronously.`,
    );
  return game.packs.get(`${scope}.${name}`)?.index.get(id) ?? null;
}

function parseUuid(uuid) {
  const parts = uuid.split('.');
  const isPacked = parts[0] === 'Compendium';
  const [type, id] = isPacked ? parts.slice(3, 5) : parts;
  const collection = isPacked ? game.packs.get(parts.slice(1, 3).join('.')) : game.collections.get(type);
  return {
    uuid,
    collection,
    documentType: type,
    documentId: id,
    type,
    id,
    embedded: parts.slice(isPacked ? 5 : 2),
    primaryType: type,
    primaryId: id,
  };
}

function buildUuid({ documentName, id, parent, pack }) {
  if (parent) return `${parent.uuid}.${documentName}.${id}`;
  return pack ? `Compendium.${pack}.${documentName}.${id}` : `${documentName}.${id}`;
}

const templates = new Map();

/** Whether a file is there. */
const srcExists = async (src) => (await fetch(src, { method: 'HEAD' }).catch(() => ({ ok: false }))).ok;

/** A menu of a right click: kept as it was given, with the names of the version. */
class ContextMenu {
  constructor(element, selector, menuItems, options = {}) {
    Object.assign(this, { element, selector, menuItems, options });
    if (facts.generation >= 14 && menuItems.some((entry) => 'callback' in entry || 'condition' in entry)) {
      deprecated('ContextMenu.Entry callback, condition');
    }
  }
  static create(app, html, selector, menuItems, options) {
    return new this(html, selector, menuItems, options);
  }
  render() {}
  close() {}
}

async function getTemplate(path) {
  if (!templates.has(path)) {
    const response = await fetch(`/${path}`);
    if (!response.ok) throw new Error(`${path} cannot be loaded`);
    templates.set(path, await response.text());
  }
  return templates.get(path);
}

/** The plain marks of a template: values, `if`, `unless`, `each` and `localize`. */
async function renderTemplate(path, data = {}) {
  return fill(await getTemplate(path), data);
}

function fill(text, data) {
  const block = /\{\{#(if|unless|each) ([\w.]+)\}\}((?:(?!\{\{#\1)[\s\S])*?)\{\{\/\1\}\}/;
  const at = (key) =>
    key === 'this' ? (data.this ?? data) : foundry.utils.getProperty(data, key.replace(/^this\./, ''));
  let out = text;
  for (let match = block.exec(out); match; match = block.exec(out)) {
    const [all, kind, key, body] = match;
    const [yes, no = ''] = body.split('{{else}}');
    const value = at(key);
    const isTrue = Array.isArray(value) ? value.length > 0 : Boolean(value);
    const filled =
      kind === 'each'
        ? Object.values(value ?? [])
            .map((entry) => fill(yes, { ...data, ...Object(entry), this: entry }))
            .join('')
        : isTrue === (kind === 'if')
          ? yes
          : no;
    out = out.replace(all, () => filled);
  }
  return out
    .replaceAll(/\{\{localize ['"]([^'"]+)['"]\}\}/g, (_, key) => game.i18n.localize(key))
    .replaceAll(/\{\{\{([\w.]+)\}\}\}/g, (_, key) => String(at(key) ?? ''))
    .replaceAll(/\{\{([\w.]+)\}\}/g, (_, key) => utilities.escapeHTML(at(key) ?? ''));
}

/** Supplies a window's HTML from the templates in its `PARTS`. */
const HandlebarsApplicationMixin = (Base) =>
  class HandlebarsApplication extends Base {
    async _renderHTML(context) {
      const parts = {};
      for (const [name, { template }] of Object.entries(this.constructor.PARTS ?? {})) {
        const holder = document.createElement('template');
        holder.innerHTML = (await renderTemplate(template, context)).trim();
        parts[name] = holder.content.firstElementChild;
        parts[name].dataset.applicationPart = name;
      }
      return parts;
    }
    _replaceHTML(result, content) {
      content.replaceChildren(...Object.values(result));
    }
  };

/** Functions that this version has, of all. */
const ofVersion = (functions) =>
  Object.fromEntries(
    Object.entries(functions).filter(
      // `getRoute` stands in no table, and in all versions; `equals` came with 14.
      ([name]) =>
        readFact(facts.core.functions[name])?.isKnown ?? (name !== 'equals' || facts.generation >= 14),
    ),
  );

const deprecatedFunctions = () =>
  Object.keys(facts.core.functions).filter((name) => readFact(facts.core.functions[name])?.isDeprecated);

export function createNamespaces({
  hooks,
  media,
  windows,
  old,
  Roll,
  Collection,
  Color,
  instances,
  constants,
}) {
  const handlebars = {
    renderTemplate,
    getTemplate,
    loadTemplates: (paths) => Promise.all([paths].flat().map(getTemplate)),
  };
  const utilityNames = { ...utilities, parseUuid, buildUuid };
  if (isNew()) Object.assign(utilityNames, { fromUuid, fromUuidSync, getDocumentClass });
  const utils = strictSpace({ ...ofVersion(utilityNames), Collection, Color }, 'foundry.utils', {
    deprecatedKeys: deprecatedFunctions(),
  });
  const api = { ...windows, HandlebarsApplicationMixin };
  const space = (target, name) => strictSpace(target, `foundry.${name}`);
  const applications = {
    api: space(api, 'applications.api'),
    instances,
    sheets: space({}, 'applications.sheets'),
  };
  if (isNew()) {
    Object.assign(applications, {
      ux: space({ TextEditor: media.TextEditor, ContextMenu }, 'applications.ux'),
      apps: space({ FilePicker: media.FilePicker }, 'applications.apps'),
      handlebars: space(handlebars, 'applications.handlebars'),
      ui: space({ Players: world.Players }, 'applications.ui'),
      sidebar: space({}, 'applications.sidebar'),
    });
  }
  const documents = Object.fromEntries(
    Object.entries(world.classes).map(([name, cls]) => [tableOf(name), cls]),
  );
  const classes = isNew()
    ? documents
    : Object.fromEntries(Object.entries(world.classes).map(([name, cls]) => [`Base${name}`, cls]));
  const foundry = {
    utils,
    CONST: constants,
    applications: space(applications, 'applications'),
    documents: space(
      isNew() ? { ...classes, collections: space({}, 'documents.collections') } : classes,
      'documents',
    ),
    abstract: space({ Document, TypeDataModel: Object, DataModel: Object }, 'abstract'),
    audio: space({ AudioHelper: media.AudioHelper, Sound: media.Sound }, 'audio'),
    data: space(
      {
        fields: {},
        ...(facts.generation >= 14
          ? { operators: space({ ForcedDeletion, ForcedReplacement }, 'data.operators') }
          : {}),
      },
      'data',
    ),
    dice: space({ Roll }, 'dice'),
    grid: space({}, 'grid'),
    packages: space({}, 'packages'),
  };
  if (isNew()) {
    foundry.helpers = space(
      { Hooks: hooks, media: space({ ImageHelper: media.ImageHelper }, 'helpers.media') },
      'helpers',
    );
    foundry.appv1 = space({ api: space(old, 'appv1.api') }, 'appv1');
    foundry.canvas = space(
      { placeables: space({ Token: world.Placeable }, 'canvas.placeables'), srcExists },
      'canvas',
    );
  }
  defineGlobal('foundry', strictSpace(foundry, 'foundry'));
  globals({ handlebars, utils, Collection, Color });
}

function getDocumentClass(name) {
  return CONFIG[name]?.documentClass;
}

function globals({ handlebars, Collection, Color }) {
  const { mergeObject, duplicate } = utilities;
  const all = {
    ...handlebars,
    srcExists,
    ContextMenu,
    Token: world.Placeable,
    fromUuid,
    fromUuidSync,
    getDocumentClass,
    Collection,
    Color,
  };
  if (!isNew()) Object.assign(all, { mergeObject, duplicate });
  for (const [name, value] of Object.entries(all)) defineGlobal(name, value);
  for (const name of [
    'User',
    'Folder',
    'Actor',
    'Item',
    'Scene',
    'JournalEntry',
    'Macro',
    'Playlist',
    'RollTable',
    'ChatMessage',
    'Combat',
    'ActiveEffect',
  ]) {
    defineGlobal(name, world.classes[name]);
  }
  defineGlobal('TokenDocument', world.classes.Token);
  if (facts.generation >= 14) {
    globalThis._del = new ForcedDeletion();
    globalThis._replace = (value) => new ForcedReplacement(value);
  }
}
