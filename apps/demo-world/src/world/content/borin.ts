import { abilities, attuned, createActor, feature, item, strike, uses } from './builders.ts';
import { chainMail, potionOfHealing, shield, staffOfHealing } from './gear.ts';
import * as spells from './spells.ts';

/** SRD 5.1: Races, Dwarf (Hill Dwarf); Classes, Cleric (Life Domain), 5th level. Keeps Bless up. */
export const borin = createActor('borin', {
  name: 'Borin Ironhand',
  owners: ['cleo'],
  race: 'Hill dwarf',
  className: 'Cleric (Life Domain)',
  background: 'Acolyte',
  alignment: 'lawful good',
  level: 5,
  experience: 6_700,
  speedFeet: 25,
  hitPoints: { value: 36, max: 43, temp: 0 },
  hitDice: { faces: 8, max: 5, spent: 0 },
  abilities: abilities([16, 10, 14, 9, 16, 12], 'wis', 'cha'),
  skills: { med: 1, rel: 1, ins: 1, his: 1 },
  spellcasting: 'wis',
  spellSlots: { 1: { value: 3, max: 4 }, 2: { value: 3, max: 3 }, 3: { value: 2, max: 2 } },
  concentration: { id: 'bless', spell: 'Bless', itemUuid: 'Actor.borin.Item.bless', imposed: [] },
  currency: { pp: 0, gp: 31, ep: 0, sp: 6, cp: 0 },
  items: [
    item('weapon', 'Warhammer', {
      description: 'Versatile (1d10).',
      weightPounds: 2,
      equipped: true,
      effect: strike('str', '1d8', 'bludgeoning'),
    }),
    chainMail,
    shield,
    attuned(staffOfHealing),
    potionOfHealing(2),
    item('loot', 'Holy Symbol', { weightPounds: 1, equipped: true }),
    feature('Channel Divinity: Preserve Life', 'Restores 25 hit points, to half of the maximum at most.', {
      charges: uses(1, 'short'),
      effect: { kind: 'heal', formula: '25', toHalf: true },
    }),
    feature('Disciple of Life', 'Your healing spells restore 2 + the spell’s level more.'),
    feature('Dwarven Resilience', 'Advantage on saves against poison.'),
    feature('Darkvision', 'You see in dim light within 60 feet as if it were bright.'),
    spells.sacredFlame,
    spells.spareTheDying,
    spells.light,
    spells.bless,
    spells.cureWounds,
    spells.healingWord,
    spells.guidingBolt,
    spells.holdPerson,
    spells.lesserRestoration,
    spells.spiritGuardians,
  ],
});
