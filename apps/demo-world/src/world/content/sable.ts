import { abilities, attuned, createActor, feature, item, strike } from './builders.ts';
import { arrows, cloakOfProtection, dagger, stoneOfGoodLuck, studdedLeather } from './gear.ts';

/** SRD 5.1: Races, Halfling (Lightfoot); Classes, Rogue (Thief), 5th level. */
export const sable = createActor('sable', {
  name: 'Sable Quickfoot',
  owners: ['dev'],
  race: 'Lightfoot halfling',
  className: 'Rogue (Thief)',
  background: 'Acolyte',
  alignment: 'chaotic good',
  level: 5,
  experience: 6_500,
  speedFeet: 25,
  hitPoints: { value: 17, max: 38, temp: 0 },
  hitDice: { faces: 8, max: 5, spent: 1 },
  abilities: abilities([8, 18, 14, 12, 12, 14], 'dex', 'int'),
  skills: { acr: 1, dec: 1, inv: 1, prc: 1, slt: 2, ste: 2, ins: 1, rel: 1 },
  currency: { pp: 1, gp: 18, ep: 0, sp: 30, cp: 8 },
  items: [
    item('weapon', 'Shortsword', {
      description: 'Finesse, light.',
      weightPounds: 2,
      equipped: true,
      effect: strike('finesse', '1d6', 'piercing'),
    }),
    item('weapon', 'Shortbow', {
      description: 'Range 80/320 feet, two-handed.',
      weightPounds: 2,
      equipped: true,
      ammunition: 'Arrow',
      effect: strike('dex', '1d6', 'piercing'),
    }),
    dagger,
    arrows('Arrow', 17),
    studdedLeather,
    attuned(stoneOfGoodLuck),
    attuned(cloakOfProtection, false),
    item('equipment', 'Thieves’ Tools', { weightPounds: 1 }),
    feature('Sneak Attack', 'Once per turn, 3d6 more damage.', {
      effect: { kind: 'damage', damage: [{ formula: '3d6', type: 'piercing' }] },
    }),
    feature('Cunning Action', 'Dash, disengage or hide as a bonus action.'),
    feature('Uncanny Dodge', 'Halve the damage of an attack that you see.'),
    feature('Fast Hands', 'Use an object as a bonus action.'),
    feature('Lucky', 'A 1 on the d20 is rolled again.'),
  ],
});
