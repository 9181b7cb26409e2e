import { ActorDelta, synthetic } from './actors.js';
import { createApplications, instances } from './windows/applications.js';
import { apply, resolve } from './changes.js';
import { createCanvas, Placeable } from './canvas.js';
import {
  CombatEncounters,
  Collection,
  DocumentCollection,
  Messages,
  Playlists,
  Scenes,
  Users,
} from './collections.js';
import { ChatMessage, Macro } from './chat.js';
import { Combat, Combatant } from './combat.js';
import { createPacks } from './compendia.js';
import { gameSocket } from './connection.js';
import { createDialogs } from './windows/dialog.js';
import { createConstants, installConfig } from './configuration.js';
import { createRoll, diceConfig, world as rolling } from './dice.js';
import { fixDice } from './terms.js';
import { define, fieldsOf } from './document.js';
import { world } from './parts.js';
import * as plainDocuments from './documents.js';
import { countListeners, createHooks } from './hooks.js';
import { applyMode, askPerson, modeOption, tellResults, withMode } from './messages.js';
import { audio, createMedia, enrich, played } from './media.js';
import { worldCollections } from './model.js';
import { createOldApplications, wrap } from './windows/old-applications.js';
import { pixi } from './pictures.js';
import * as scenes from './scene.js';
import { installSheets } from './windows/sheets.js';
import { createKeybindings, createSettings, tellSetting } from './settings.js';
import { defineGlobal, everywhere, facts, readFact, strict, strictSpace } from './strict.js';
import { declareGame, Game, GameTime, state } from './game-object.js';
import { createNamespaces } from './namespaces.js';
import { createUi, logMessage, PlayersPart } from './windows/ui.js';
import { installSystem, registerSystemSettings, systemNamespace } from './dnd5e/index.js';

/** `game`, and the order of its start: globals, modules, init, setup, canvas, ready. */

const collectionClasses = {
  User: Users,
  Combat: CombatEncounters,
  Scene: Scenes,
  Playlist: Playlists,
  ChatMessage: Messages,
};
const collectionTables = {
  User: 'Users',
  Combat: 'CombatEncounters',
  Scene: 'Scenes',
  Playlist: 'Playlists',
  ChatMessage: 'Messages',
};

/** What stands before any module runs: classes, hooks, configuration; no `game` yet. */
export function installCore({ system }) {
  const hooks = createHooks();
  world.hooks = hooks;
  const media = createMedia();
  const windows = { ...createApplications(), ...createDialogs() };
  const old = createOldApplications();
  Object.assign(old, { DocumentSheet: installSheets(old).DocumentSheet });
  defineGlobal('PIXI', pixi());
  Object.assign(world, {
    resolve,
    synthetic,
    Sound: media.Sound,
    enrich,
    wrap,
    log: logMessage,
    collectionOf: (name) => worldCollections[name],
  });
  Object.assign(world, { Placeable, Players: PlayersPart });
  facts.levelDefaults = fieldsOf('Level');
  defineDocuments();
  const Roll = createRoll();
  const dnd5eConfig = installSystem();
  Object.assign(world, { isManual: () => false, askPerson, modeOption, withMode, applyMode, tellResults });
  Object.assign(rolling, world, {
    isManual: () => Object.keys(game.settings.get('core', 'diceConfiguration')).length > 0,
    askForDice: () => askPerson('dice'),
  });
  const config = installConfig({
    Roll,
    dice: diceConfig(Roll),
    dnd5eConfig,
    rolls: [world.D20Roll, world.DamageRoll],
  });
  const constants = createConstants();
  for (const [name, value] of Object.entries({
    Hooks: hooks,
    CONFIG: config,
    CONST: constants,
    Roll,
    ...media,
    ...old,
  })) {
    if (name !== 'Sound' && name !== 'ImageHelper') defineGlobal(name, value);
  }
  createNamespaces({
    hooks,
    media,
    windows,
    old,
    Roll,
    Collection,
    Color: plainDocuments.Color,
    instances,
    constants,
  });
  globalThis.$ = wrap;
  globalThis.jQuery = wrap;
  systemNamespace(dnd5eConfig);
  Object.assign(globalThis.standIn, {
    listeners: countListeners,
    fixDice,
    played,
    windows: instances,
    system,
  });
}

function defineDocuments() {
  const { User, ActiveEffect, Folder, JournalEntry, JournalEntryPage, RollTable } = plainDocuments;
  const { TableResult, Playlist, PlaylistSound, Setting, plain } = plainDocuments;
  const people = {
    User,
    ActiveEffect,
    ChatMessage,
    Macro,
    Folder,
    JournalEntry,
    JournalEntryPage,
    RollTable,
  };
  const all = {
    ...people,
    TableResult,
    Playlist,
    PlaylistSound,
    Setting,
    Combat,
    Combatant,
    ActorDelta,
    ...plain(),
    ...scenes.canvasClasses(),
    Scene: scenes.Scene,
    Token: scenes.TokenDocument,
  };
  Object.assign(all, {
    Region: scenes.RegionDocument,
    MeasuredTemplate: scenes.MeasuredTemplateDocument,
    Level: scenes.Level,
  });
  for (const [name, cls] of Object.entries(all))
    if (readFact(facts.core.documents[name])?.isKnown) define(name, cls, extra[name]);
}

/** Names that a document has beside its fields and the tables. */
const extra = {
  Combat: { more: everywhere(['name', 'turns']) },
  Scene: { more: everywhere(['grid']) },
  Actor: {},
  ActorDelta: { more: { syntheticActor: '12-14' } },
  Macro: { more: everywhere(['canUserExecute']) },
};

/** Runs the page of a user up to `ready`. */
export async function runGame(config, arrived) {
  declareGame();
  globalThis.game = new Game(config);
  const { connection, hooks } = world;
  game.socket = strictSpace(gameSocket(connection), 'game.socket');
  world.presence = new Map(Object.entries(arrived.presence));
  for (const name of Object.keys(worldCollections)) {
    const cls = world.classes[name];
    const made = collectionClasses[name] ?? DocumentCollection;
    world.collections[worldCollections[name]] = new made(cls, collectionTables[name] ?? 'WorldCollection');
  }
  const fill = (name) => {
    const collection = world.collections[worldCollections[name]];
    for (const data of arrived.documents[worldCollections[name]])
      collection.set(data._id, new world.classes[name](data));
  };
  fill('Setting');
  game.settings = createSettings(world.collections.settings);
  game.keybindings = createKeybindings();
  game.i18n = strictSpace(await translations(config), 'game.i18n');
  registerSystemSettings(game.settings);
  hooks.callAll('init');
  game.i18n.isReady = true;
  hooks.callAll('i18nInit');
  for (const name of Object.keys(worldCollections)) if (name !== 'Setting') fill(name);
  for (const [name, collection] of Object.entries(worldCollections)) {
    if (name === 'Setting') continue;
    game[collection] = world.collections[collection];
    game.collections.set(name, world.collections[collection]);
  }
  game[state].user = game.users.get(config.session.userId);
  game.permissions = game.settings.get('core', 'permissions');
  game.packs = createPacks(arrived.packs);
  game.audio = audio();
  game.time = strict(new GameTime(), 'GameTime');
  listen(connection);
  hooks.callAll('setup');
  globalThis.ui = createUi();
  const canvas = createCanvas();
  defineGlobal('canvas', canvas);
  game.canvas = canvas;
  await ui.players.render();
  for (const message of game.messages.contents.slice(-100))
    if (message.visible) void logMessage('create', message);
  await world.viewScene(game.scenes.active ?? null);
  game.ready = true;
  hooks.callAll('ready');
}

function listen(connection) {
  const { hooks } = world;
  connection.on('modified', (message) => {
    apply(message);
    if (message.type === 'Setting' && message.action !== 'delete') {
      for (const { _id: id } of message.results) changeSetting(world.collections.settings.get(id), message);
    }
    if (message.type === 'User') void ui.players?.render();
  });
  connection.on('presence', ({ userId, presence, connected }) => {
    world.presence.set(userId, presence);
    if (connected === undefined) return;
    hooks.callAll('userConnected', game.users.get(userId), connected);
    void ui.players?.render();
  });
  connection.on('paused', ({ paused }) => {
    game[state].paused = paused;
    hooks.callAll('pauseGame', paused, {});
  });
  connection.on('asked', async ({ ask, name, data, timeout }) => {
    const answer = CONFIG.queries?.[name];
    const reply = (result) => connection.send('replied', { ask, ...result });
    if (!answer) return reply({ error: `${name} is not a registered query` });
    try {
      reply({ result: (await answer(data, { timeout })) ?? null });
    } catch (error) {
      reply({ error: error.message });
    }
  });
  connection.on('emitted', ({ event, args }) => {
    if (event === 'playAudio') void new world.Sound(args[0].src).play(args[0]);
    if (event === 'pullToScene' && (args[1].length === 0 || args[1].includes(game.userId)))
      void game.scenes.get(args[0])?.view();
  });
}

function changeSetting(document, { options, userId }) {
  if (document.key === 'core.permissions') game.permissions = document.value;
  tellSetting(document, options, userId);
  if (document.key === 'core.time')
    world.hooks.callAll('updateWorldTime', document.value, 0, options, userId);
}

async function translations({ modules }) {
  const texts = {};
  for (const { id, languages = [], active } of modules) {
    const english = active && languages.find(({ lang }) => lang === 'en');
    if (!english) continue;
    const response = await fetch(`/modules/${id}/${english.path}`);
    if (response.ok) Object.assign(texts, foundry.utils.flattenObject(await response.json()));
  }
  const i18n = {
    lang: 'en',
    translations: texts,
    isReady: false,
    has: (key) => key in texts,
    localize: (key) => (i18n.isReady ? (texts[key] ?? key) : key),
    format: (key, data = {}) =>
      i18n.localize(key).replaceAll(/\{(\w+)\}/g, (match, name) => String(data[name] ?? match)),
    getListFormatter: (options) => new Intl.ListFormat('en', options),
    sortObjects: (objects, key) => objects.sort((a, b) => String(a[key]).localeCompare(String(b[key]))),
  };
  return i18n;
}
