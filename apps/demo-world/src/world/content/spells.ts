import { saved, spell } from './builders.ts';

/** SRD 5.1, Spell Descriptions; cantrips as cast at 5th level. */

export const fireBolt = spell(
  'Fire Bolt',
  '0 evocation',
  { components: 'V, S', range: '120 feet' },
  'A mote of fire: a ranged spell attack for 2d10 fire damage.',
  {
    kind: 'attack',
    ability: 'spell',
    magic: 0,
    damage: [{ formula: '2d10', type: 'fire' }],
    damageModifier: false,
  },
);

export const light = spell(
  'Light',
  '0 evocation',
  { components: 'V, M', range: 'Touch', duration: '1 hour' },
  'An object sheds bright light in a 20-foot radius.',
);

export const mageHand = spell(
  'Mage Hand',
  '0 conjuration',
  { components: 'V, S', range: '30 feet', duration: '1 minute' },
  'A spectral, floating hand.',
);

export const detectMagic = spell(
  'Detect Magic',
  '1 divination',
  { components: 'V, S', range: 'Self', duration: 'Concentration, up to 10 minutes', ritual: true },
  'You sense magic within 30 feet.',
);

export const mageArmor = spell(
  'Mage Armor',
  '1 abjuration',
  { components: 'V, S, M', range: 'Touch', duration: '8 hours' },
  'The base armor class of an unarmored creature becomes 13 + its dexterity modifier.',
);

export const magicMissile = spell(
  'Magic Missile',
  '1 evocation',
  { components: 'V, S', range: '120 feet' },
  'Three glowing darts strike without fail, each for 1d4 + 1 force damage.',
  { kind: 'damage', damage: [{ formula: '3d4 + 3', type: 'force', perSlotLevel: '1d4 + 1' }] },
);

export const shieldSpell = spell(
  'Shield',
  '1 abjuration',
  { components: 'V, S', range: 'Self', duration: '1 round' },
  '+5 to armor class until the start of your next turn.',
);

export const invisibility = spell(
  'Invisibility',
  '2 illusion',
  { components: 'V, S, M', range: 'Touch', duration: 'Concentration, up to 1 hour' },
  'A creature you touch becomes invisible until it attacks or casts a spell.',
  { kind: 'condition', condition: 'invisible' },
);

export const mistyStep = spell(
  'Misty Step',
  '2 conjuration',
  { components: 'V', range: 'Self' },
  'You teleport up to 30 feet.',
);

export const fireball = spell(
  'Fireball',
  '3 evocation',
  { components: 'V, S, M', range: '150 feet' },
  'A 20-foot-radius burst of flame: 8d6 fire damage, half on a successful dexterity save.',
  saved('dex', '8d6', 'fire', { perSlotLevel: '1d6' }),
);

export const counterspell = spell(
  'Counterspell',
  '3 abjuration',
  { components: 'S', range: '60 feet' },
  'You interrupt a creature that casts a spell.',
);

export const sacredFlame = spell(
  'Sacred Flame',
  '0 evocation',
  { components: 'V, S', range: '60 feet' },
  'Flame-like radiance descends: 2d8 radiant damage unless a dexterity save succeeds.',
  saved('dex', '2d8', 'radiant', { onSuccess: 'none' }),
);

export const spareTheDying = spell(
  'Spare the Dying',
  '0 necromancy',
  { components: 'V, S', range: 'Touch' },
  'A living creature with 0 hit points becomes stable.',
  { kind: 'stabilize' },
);

export const bless = spell(
  'Bless',
  '1 enchantment',
  { components: 'V, S, M', range: '30 feet', duration: 'Concentration, up to 1 minute' },
  'Up to three creatures add 1d4 to attack rolls and saving throws.',
);

export const cureWounds = spell(
  'Cure Wounds',
  '1 evocation',
  { components: 'V, S', range: 'Touch' },
  'A creature you touch regains 1d8 + your spellcasting modifier hit points.',
  { kind: 'heal', formula: '1d8', addSpellModifier: true, perSlotLevel: '1d8' },
);

export const healingWord = spell(
  'Healing Word',
  '1 evocation',
  { components: 'V', range: '60 feet' },
  'A creature you can see regains 1d4 + your spellcasting modifier hit points.',
  { kind: 'heal', formula: '1d4', addSpellModifier: true, perSlotLevel: '1d4' },
);

export const guidingBolt = spell(
  'Guiding Bolt',
  '1 evocation',
  { components: 'V, S', range: '120 feet', duration: '1 round' },
  'A flash of light: a ranged spell attack for 4d6 radiant damage.',
  {
    kind: 'attack',
    ability: 'spell',
    magic: 0,
    damage: [{ formula: '4d6', type: 'radiant', perSlotLevel: '1d6' }],
    damageModifier: false,
  },
);

export const holdPerson = spell(
  'Hold Person',
  '2 enchantment',
  { components: 'V, S, M', range: '60 feet', duration: 'Concentration, up to 1 minute' },
  'A humanoid is paralyzed unless a wisdom save succeeds.',
  {
    kind: 'save',
    ability: 'wis',
    dc: 'spell',
    damage: [],
    onSuccess: 'none',
    condition: 'paralyzed',
    only: ['humanoid'],
  },
);

export const lesserRestoration = spell(
  'Lesser Restoration',
  '2 abjuration',
  { components: 'V, S', range: 'Touch' },
  'Ends one disease, or one condition: blinded, deafened, paralyzed or poisoned.',
  { kind: 'cure', conditions: ['paralyzed', 'blinded', 'poisoned', 'deafened'] },
);

export const spiritGuardians = spell(
  'Spirit Guardians',
  '3 conjuration',
  { components: 'V, S, M', range: 'Self (15-foot radius)', duration: 'Concentration, up to 10 minutes' },
  'Spirits flit around you: 3d8 radiant damage, half on a successful wisdom save.',
  saved('wis', '3d8', 'radiant', { perSlotLevel: '1d8' }),
);
