import { maybe } from './module-fact.ts';
import type { ModuleFacts } from './module-fact.ts';

const dice = [{ faces: 20, results: [{ result: 14, active: true }] }];

/** The attack needs version 13 and an activity with one; the damage needs another module. */
const used = {
  roll: maybe({ total: 19, formula: '1d20 + 5', isCritical: false, isFumble: false, dice }),
  damageRolls: maybe([{ total: 7, formula: '1d8', type: 'slashing', isCritical: false, dice }]),
};

export const sys5eItems = {
  'modify-item-charges': {
    http: 'POST /dnd5e/modify-item-charges',
    timeoutS: 10,
    reads: 'actorUuid itemUuid? itemName? amount',
    answer: { data: { itemUuid: 'Actor.mira.Item.wand', oldCharges: 7, newCharges: 6 } },
  },
  'equip-item': {
    http: 'POST /dnd5e/equip-item',
    timeoutS: 10,
    reads: 'actorUuid? actorName? itemUuid? itemName? equipped',
    answer: {
      data: {
        actorUuid: 'Actor.theron',
        itemUuid: 'Actor.theron.Item.longsword',
        itemName: 'Longsword',
        equipped: true,
      },
    },
  },
  'attune-item': {
    http: 'POST /dnd5e/attune-item',
    timeoutS: 10,
    reads: 'actorUuid? actorName? itemUuid? itemName? attuned',
    answer: {
      data: {
        actorUuid: 'Actor.mira',
        itemUuid: 'Actor.mira.Item.ring-of-protection',
        itemName: 'Ring of Protection',
        attuned: true,
      },
    },
  },
  'transfer-currency': {
    http: 'POST /dnd5e/transfer-currency',
    timeoutS: 10,
    reads: 'sourceActorUuid? sourceActorName? targetActorUuid? targetActorName? currency',
    answer: {
      data: {
        sourceActorUuid: 'Actor.mira',
        targetActorUuid: 'Actor.sable',
        transferred: { pp: 0, gp: 5, ep: 0, sp: 0, cp: 0 },
        sourceBalance: { pp: 0, gp: 37, ep: 0, sp: 12, cp: 4 },
        targetBalance: { pp: 1, gp: 23, ep: 0, sp: 30, cp: 8 },
      },
    },
  },
  'modify-currency': {
    http: 'POST /dnd5e/modify-currency',
    timeoutS: 10,
    reads: 'uuid? actorUuid? currency amount',
    answer: { data: { currency: 'gp', previous: 42, current: 50, delta: 8 } },
  },
  'prepare-spell': {
    http: 'POST /dnd5e/prepare-spell',
    timeoutS: 10,
    reads: 'uuid? actorUuid? spellName? name? prepared',
    answer: { data: { spellName: 'Fireball', prepared: false, uuid: 'Actor.mira.Item.fireball' } },
  },
  'use-ability': {
    http: 'POST /dnd5e/use-ability',
    timeoutS: 10,
    reads: 'actorUuid abilityUuid? abilityName? targetUuid? targetName?',
    answer: {
      data: {
        uuid: 'Actor.borin',
        ability: 'Channel Divinity: Preserve Life',
        ...used,
      },
    },
  },
  'use-feature': {
    http: 'POST /dnd5e/use-feature',
    timeoutS: 10,
    reads: 'actorUuid abilityUuid? abilityName? targetUuid? targetName?',
    answer: {
      data: {
        uuid: 'Actor.sable',
        ability: 'Cunning Action',
        ...used,
      },
    },
  },
  'use-spell': {
    http: 'POST /dnd5e/use-spell',
    timeoutS: 10,
    reads: 'actorUuid abilityUuid? abilityName? targetUuid? targetName?',
    answer: {
      data: {
        uuid: 'Actor.mira',
        ability: 'Fire Bolt',
        ...used,
      },
    },
  },
  'use-item': {
    http: 'POST /dnd5e/use-item',
    timeoutS: 10,
    reads: 'actorUuid abilityUuid? abilityName? targetUuid? targetName?',
    answer: {
      data: {
        uuid: 'Actor.borin',
        ability: 'Potion of Healing',
        ...used,
      },
    },
  },
} satisfies ModuleFacts;
