import { abilities, createActor, feature, item, strike, unhurt } from './builders.ts';

/** SRD 5.1, Monsters: Ghoul. */
export const ghoul = createActor('ghoul', {
  name: 'Ghoul',
  kind: 'npc',
  race: 'Undead',
  creatureType: 'undead',
  alignment: 'chaotic evil',
  challenge: 1,
  hitPoints: unhurt(22),
  hitDice: { faces: 8, max: 5, spent: 0 },
  abilities: abilities([13, 15, 10, 7, 10, 6]),
  naturalArmor: 12,
  damageImmunities: ['poison'],
  conditionImmunities: ['charmed', 'poisoned'],
  items: [
    item('weapon', 'Bite', {
      equipped: true,
      effect: {
        kind: 'attack',
        ability: 'dex',
        magic: 0,
        attackBonus: 2,
        damage: [{ formula: '2d6', type: 'piercing' }],
        damageModifier: true,
      },
    }),
    item('weapon', 'Claws', {
      description: 'A creature other than an elf or undead is paralyzed unless a constitution save succeeds.',
      equipped: true,
      effect: {
        kind: 'attack',
        ability: 'dex',
        magic: 0,
        damage: [{ formula: '2d4', type: 'slashing' }],
        damageModifier: true,
        onHit: { ability: 'con', dc: 10, condition: 'paralyzed', spares: ['elf', 'undead'] },
      },
    }),
  ],
});

/** SRD 5.1, Monsters: Nonplayer Characters, Cultist. */
export const cultist = createActor('cultist', {
  name: 'Cultist',
  kind: 'npc',
  race: 'Human',
  alignment: 'any non-good alignment',
  challenge: 1 / 8,
  hitPoints: unhurt(9),
  hitDice: { faces: 8, max: 2, spent: 0 },
  abilities: abilities([11, 12, 10, 10, 11, 10]),
  skills: { dec: 1, rel: 1 },
  naturalArmor: 12,
  currency: { pp: 0, gp: 3, ep: 0, sp: 5, cp: 0 },
  items: [
    item('weapon', 'Scimitar', {
      description: 'Finesse, light.',
      weightPounds: 3,
      equipped: true,
      effect: strike('finesse', '1d6', 'slashing'),
    }),
    feature('Dark Devotion', 'Advantage on saves against being charmed or frightened.'),
  ],
});
