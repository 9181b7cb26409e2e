import type { ItemDraft } from './builders.ts';
import { item, strike, uses } from './builders.ts';

/** Ordinary and magic things that several actors carry (SRD 5.1, Equipment; Magic Items A-Z). */

export const dagger = item('weapon', 'Dagger', {
  description: 'Finesse, light, thrown (20/60 ft).',
  weightPounds: 1,
  equipped: true,
  effect: strike('finesse', '1d4', 'piercing'),
});

export const shield = item('equipment', 'Shield', {
  weightPounds: 6,
  equipped: true,
  armor: { kind: 'shield', value: 2, noisy: false },
});

export const chainMail = item('equipment', 'Chain Mail', {
  weightPounds: 55,
  equipped: true,
  armor: { kind: 'heavy', value: 16, noisy: true },
});

export const studdedLeather = item('equipment', 'Studded Leather', {
  weightPounds: 13,
  equipped: true,
  armor: { kind: 'light', value: 12, noisy: false },
});

export function arrows(name: 'Arrow', quantity: number): ItemDraft {
  return item('loot', name, { quantity, weightPounds: 0.05 });
}

export function potionOfHealing(quantity: number): ItemDraft {
  return item('consumable', 'Potion of Healing', {
    description: 'Whoever drinks it regains 2d4 + 2 hit points.',
    quantity,
    weightPounds: 0.5,
    effect: { kind: 'heal', formula: '2d4 + 2' },
  });
}

export const ringOfProtection = item('equipment', 'Ring of Protection', {
  description: '+1 to armor class and saving throws.',
  worn: { armorClass: 1, saves: 1 },
});

export const cloakOfProtection = item('equipment', 'Cloak of Protection', {
  description: '+1 to armor class and saving throws.',
  worn: { armorClass: 1, saves: 1 },
});

export const gauntletsOfOgrePower = item('equipment', 'Gauntlets of Ogre Power', {
  description: 'Strength is 19 while worn.',
  worn: { scores: { str: 19 } },
});

export const stoneOfGoodLuck = item('equipment', 'Stone of Good Luck', {
  description: '+1 to saving throws.',
  worn: { saves: 1 },
});

export const wandOfMagicMissiles = item('equipment', 'Wand of Magic Missiles', {
  id: 'wand',
  description: 'One charge casts magic missile. Regains 1d6 + 1 charges daily at dawn.',
  weightPounds: 1,
  equipped: true,
  charges: uses(7, 'dawn', '1d6 + 1'),
  effect: { kind: 'damage', damage: [{ formula: '3d4 + 3', type: 'force' }] },
});

export const staffOfHealing = item('equipment', 'Staff of Healing', {
  id: 'staff',
  description: 'One charge casts cure wounds. Regains 1d6 + 4 charges daily at dawn.',
  weightPounds: 4,
  charges: uses(10, 'dawn', '1d6 + 4'),
  effect: { kind: 'heal', formula: '1d8', addSpellModifier: true },
});
