import { maybe, open, orNull } from './module-fact.ts';
import type { ModuleFacts } from './module-fact.ts';

const item = {
  _id: 'fire-bolt',
  name: 'Fire Bolt',
  type: 'spell',
  img: 'icons/fire-bolt.svg',
  system: { level: 0, school: 'evo' },
  effects: [],
  folder: orNull('spells'),
  sort: 0,
  ownership: { default: 0 },
  flags: {},
  _stats: {},
};

const resource = { value: orNull(1), max: orNull(1), sr: false, lr: true, label: 'Arcane Recovery' };
const resources = { primary: resource, secondary: resource, tertiary: resource };
const monsterResources = {
  legact: { value: 3, max: 3 },
  legres: { value: 3, max: 3 },
  lair: { value: true, initiative: null },
};

const stats = {
  name: 'Mira Thornwood',
  img: 'tokens/mira.svg',
  uuid: 'Actor.mira',
  level: 5,
  profBonus: 3,
  ac: 13,
  hp: { value: 27, max: 32, temp: null },
  speed: 30,
  exhaustion: 0,
  inspiration: false,
  initBonus: 2,
  deathSaves: { success: 0, failure: 0 },
  encumbrance: { value: 41.5, max: 150 },
  currency: { pp: 0, gp: 42, ep: 0, sp: 12, cp: 4 },
};

const detailNames =
  'race background class alignment biography age height weight eyes skin hair faith gender trait ideal bond flaw notes journal goals';
const details = Object.fromEntries(detailNames.split(' ').map((name) => [name, '']));

/** Absent where the rules system rolled nothing. */
const rolled = { total: maybe(19), formula: maybe('1d20 + 5'), result: maybe('14 + 5') };

export const sys5eActors = {
  'get-actor-details': {
    http: 'GET /dnd5e/get-actor-details',
    timeoutS: 10,
    reads: 'actorUuid details',
    answer: {
      data: {
        uuid: 'Actor.mira',
        resources: maybe(open(resources, monsterResources)),
        spells: maybe([item]),
        spellSlots: maybe({
          spell1: { value: 2, max: 4 },
          pact: { value: 1, max: 1, level: 3 },
        }),
        items: maybe([item]),
        features: maybe([item]),
        stats: maybe(stats),
        abilities: maybe({ dex: { value: 14, mod: 2, save: 2, proficient: 0 } }),
        skills: maybe({ prc: { ability: 'wis', total: 5, mod: 2, value: 1, passive: 15 } }),
        details: maybe(details),
        conditions: maybe([{ id: 'prone', name: 'Prone' }]),
        concentration: maybe({ active: true, name: maybe('Bless') }),
      },
    },
  },
  'modify-experience': {
    http: 'POST /dnd5e/modify-experience',
    timeoutS: 10,
    reads: 'actorUuid? selected? amount',
    answer: { data: { actorUuid: 'Actor.mira', oldXp: 6500, newXp: 6750 } },
  },
  'skill-check': {
    http: 'POST /dnd5e/skill-check',
    timeoutS: 10,
    reads: 'actorUuid skill advantage? disadvantage? bonus? createChatMessage?',
    answer: {
      data: {
        actorUuid: 'Actor.mira',
        skill: 'prc',
        ...rolled,
      },
    },
  },
  'ability-save': {
    http: 'POST /dnd5e/ability-save',
    timeoutS: 10,
    reads: 'actorUuid ability advantage? disadvantage? bonus? createChatMessage?',
    answer: {
      data: {
        actorUuid: 'Actor.borin',
        ability: 'wis',
        ...rolled,
      },
    },
  },
  'ability-check': {
    http: 'POST /dnd5e/ability-check',
    timeoutS: 10,
    reads: 'actorUuid ability advantage? disadvantage? bonus? createChatMessage?',
    answer: {
      data: {
        actorUuid: 'Actor.borin',
        ability: 'wis',
        ...rolled,
      },
    },
  },
  'death-save': {
    http: 'POST /dnd5e/death-save',
    timeoutS: 10,
    reads: 'actorUuid advantage? createChatMessage?',
    answer: {
      data: {
        actorUuid: 'Actor.theron',
        ...rolled,
        deathSaves: { success: 1, failure: 0 },
      },
    },
  },
  'get-concentration': {
    http: 'GET /dnd5e/concentration',
    timeoutS: 10,
    reads: 'actorUuid? actorName?',
    answer: {
      data: {
        actorUuid: 'Actor.borin',
        isConcentrating: true,
        effect: orNull({
          id: 'bless',
          uuid: 'Actor.borin.ActiveEffect.bless',
          name: 'Concentrating: Bless',
          icon: 'icons/concentrating.svg',
          statuses: ['concentrating'],
          origin: 'Actor.borin.Item.bless',
        }),
        spell: orNull('Bless'),
      },
    },
  },
  'break-concentration': {
    http: 'POST /dnd5e/break-concentration',
    timeoutS: 10,
    reads: 'actorUuid? actorName?',
    answer: { data: { actorUuid: 'Actor.borin', broken: true, removedEffectId: 'bless' } },
  },
  'concentration-save': {
    http: 'POST /dnd5e/concentration-save',
    timeoutS: 10,
    reads: 'actorUuid? actorName? damage advantage? disadvantage? bonus? createChatMessage?',
    answer: {
      data: {
        actorUuid: 'Actor.borin',
        dc: 13,
        ...rolled,
        maintained: true,
      },
    },
  },
  'short-rest': {
    http: 'POST /dnd5e/short-rest',
    timeoutS: 10,
    reads: 'actorUuid? selected? autoHD? autoHDThreshold?',
    answer: {
      data: {
        actorUuid: 'Actor.sable',
        result: open(
          {
            type: 'short',
            deltas: { hitPoints: 7, hitDice: -1 },
            updateData: { _id: 'sable', 'system.attributes.hp.value': 24, 'system.attributes.hd.value': 3 },
            updateItems: [],
            newDay: false,
            rolls: [{ formula: '1d8 + 2', result: '5 + 2', total: 7 }],
            clone: { _id: 'sable', name: 'Sable Quickfoot' },
            dhd: maybe(-1),
            dhp: maybe(7),
            longRest: maybe(false),
          },
          { completed: true },
        ),
      },
    },
  },
  'long-rest': {
    http: 'POST /dnd5e/long-rest',
    timeoutS: 10,
    reads: 'actorUuid? selected? newDay?',
    answer: {
      data: {
        actorUuid: 'Actor.sable',
        result: open(
          {
            type: 'long',
            deltas: { hitPoints: 21, hitDice: 1 },
            updateData: { _id: 'sable', 'system.attributes.hp.value': 38, 'system.attributes.hd.value': 5 },
            updateItems: [],
            newDay: true,
            rolls: [],
            clone: { _id: 'sable', name: 'Sable Quickfoot' },
            dhd: maybe(1),
            dhp: maybe(21),
            longRest: maybe(true),
          },
          { completed: true },
        ),
      },
    },
  },
} satisfies ModuleFacts;
