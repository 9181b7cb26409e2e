import { backend } from './operations.js';
import { world } from './parts.js';
import { templateBridge } from './scene.js';
import { facts, readFact, strictSpace } from './strict.js';

/** `CONST` and `CONFIG` of the version. */

const mime = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  gif: 'image/gif',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  webm: 'video/webm',
  txt: 'text/plain',
  json: 'application/json',
  pdf: 'application/pdf',
};

/** Tables whose keys alone are known: an object of them. */
const keyed = /_FILE_EXTENSIONS$|^USER_PERMISSIONS$/;

export function createConstants() {
  const out = {};
  for (const [name, table] of Object.entries(facts.core.constants)) {
    for (const [range, value] of Object.entries(table)) {
      if (!readFact(range).isKnown) continue;
      out[name] =
        keyed.test(name) && Array.isArray(value)
          ? Object.fromEntries(value.map((key) => [key, mime[key] ?? {}]))
          : value;
    }
  }
  const old = Object.entries(facts.core.deprecatedConstants).filter(([, range]) => readFact(range).isKnown);
  Object.defineProperty(out, 'USER_PERMISSIONS_BY_VERSION', { value: Object.keys(out.USER_PERMISSIONS) });
  return strictSpace(out, 'CONST', { deprecatedKeys: old.map(([name]) => name) });
}

/** Statuses of the core that the system does not have are not listed. */
const conditions = [
  'blinded',
  'charmed',
  'deafened',
  'frightened',
  'grappled',
  'incapacitated',
  'invisible',
  'paralyzed',
  'petrified',
  'poisoned',
  'prone',
  'restrained',
  'stunned',
  'unconscious',
];

function statusEffects() {
  const others = ['dead', 'concentrating', 'dodging', 'hiding', 'sleeping', 'stable', 'exhaustion'];
  const idOf = (id) => `dnd5e${id}`.padEnd(16, '0').slice(0, 16);
  return [...conditions, ...others].map((id) => ({
    id,
    name: id[0].toUpperCase() + id.slice(1),
    img: `systems/dnd5e/icons/svg/statuses/${id}.svg`,
    _id: idOf(id),
  }));
}

const modes = { public: 'Public', gm: 'Gamemaster', blind: 'Blind', self: 'Self', ic: 'In character' };
const oldModes = {
  publicroll: 'Public Roll',
  gmroll: 'Private GM Roll',
  blindroll: 'Blind GM Roll',
  selfroll: 'Self Roll',
};

export function installConfig({ dice, dnd5eConfig, rolls }) {
  const documents = {};
  for (const [name, cls] of Object.entries(world.classes)) {
    documents[name] = strictSpace(
      {
        documentClass: cls,
        collection: null,
        sheetClasses: {},
        dataModels: {},
        typeLabels: {},
        objectClass: null,
        sidebarIcon: '',
        layerClass: null,
      },
      `CONFIG.${name}`,
      { isOpen: true },
    );
  }
  dice.rolls.push(...rolls);
  dice.D20Roll = rolls[0];
  dice.DamageRoll = rolls[1];
  dice.BasicRoll = { getMessageMode: () => game.settings.get('core', world.modeOption()) };
  if (facts.generation < 14) dice.rollModes = oldModes;
  Object.assign(documents.Combat, { initiative: { formula: '1d20', decimals: 0 } });
  const config = {
    ...documents,
    DatabaseBackend: strictSpace(backend, 'CONFIG.DatabaseBackend'),
    Dice: strictSpace(dice, 'CONFIG.Dice', { isOpen: true }),
    DND5E: strictSpace(dnd5eConfig, 'CONFIG.DND5E', { isOpen: true }),
    statusEffects: statusEffects(),
    specialStatusEffects: {
      DEFEATED: 'dead',
      INVISIBLE: 'invisible',
      BLIND: 'blinded',
      CONCENTRATING: 'concentrating',
    },
    sounds: {
      dice: 'sounds/dice.wav',
      lock: 'sounds/lock.wav',
      notification: 'sounds/notify.wav',
      combat: '',
    },
    time: { turnTime: 0, roundTime: 6 },
    fontDefinitions: {},
    ui: {},
    ux: {},
    debug: { hooks: false },
    supportedLanguages: { en: 'English' },
    TinyMCE: {},
    controlIcons: {},
    weatherEffects: {},
    Canvas: { layers: {} },
    TextEditor: { enrichers: [] },
    WebRTC: {},
  };
  if (facts.generation >= 13) config.queries = {};
  if (facts.generation >= 14) {
    config.ChatMessage.modes = Object.fromEntries(
      Object.entries(modes).map(([key, label]) => [key, { label, icon: '' }]),
    );
    config.MeasuredTemplate = { documentClass: templateBridge(world.classes.Region) };
  }
  return strictSpace(config, 'CONFIG', { isOpen: true });
}
