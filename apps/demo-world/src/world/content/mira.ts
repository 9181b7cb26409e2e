import { abilities, attuned, createActor, feature, item, strike, unhurt, uses } from './builders.ts';
import { cloakOfProtection, dagger, potionOfHealing, ringOfProtection, wandOfMagicMissiles } from './gear.ts';
import * as spells from './spells.ts';

/** SRD 5.1: Races, Elf (High Elf); Classes, Wizard (School of Evocation), 5th level. */
export const mira = createActor('mira', {
  name: 'Mira Thornwood',
  owners: ['ben'],
  race: 'High elf',
  className: 'Wizard (School of Evocation)',
  background: 'Acolyte',
  alignment: 'neutral good',
  level: 5,
  experience: 6_500,
  hitPoints: unhurt(27),
  hitDice: { faces: 6, max: 5, spent: 1 },
  abilities: abilities([8, 14, 13, 18, 14, 10], 'int', 'wis'),
  skills: { arc: 1, inv: 1, ins: 1, rel: 1, prc: 1 },
  spellcasting: 'int',
  spellSlots: { 1: { value: 3, max: 4 }, 2: { value: 3, max: 3 }, 3: { value: 2, max: 2 } },
  currency: { pp: 0, gp: 42, ep: 0, sp: 12, cp: 4 },
  items: [
    item('weapon', 'Quarterstaff', {
      description: 'Versatile (1d8).',
      weightPounds: 4,
      equipped: true,
      effect: strike('str', '1d6', 'bludgeoning'),
    }),
    dagger,
    wandOfMagicMissiles,
    attuned(ringOfProtection, false),
    attuned(cloakOfProtection),
    potionOfHealing(1),
    item('loot', 'Spellbook', { weightPounds: 3 }),
    feature('Arcane Recovery', 'Once a day after a short rest, recover spell slots of 3 levels in all.', {
      charges: uses(1, 'long'),
      effect: { kind: 'recover-slots', levels: 3 },
    }),
    feature('Sculpt Spells', 'Allies can be spared from your evocations.'),
    feature('Fey Ancestry', 'Advantage on saves against being charmed; magic can’t put you to sleep.'),
    feature('Darkvision', 'You see in dim light within 60 feet as if it were bright.'),
    spells.fireBolt,
    spells.light,
    spells.mageHand,
    spells.detectMagic,
    spells.mageArmor,
    spells.magicMissile,
    spells.shieldSpell,
    spells.invisibility,
    spells.mistyStep,
    spells.fireball,
    spells.counterspell,
  ],
});
