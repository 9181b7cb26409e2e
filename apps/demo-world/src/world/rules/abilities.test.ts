import { describe, expect, test } from 'vitest';
import { borin } from '../content/borin.ts';
import { mira } from '../content/mira.ts';
import { cultist, ghoul } from '../content/monsters.ts';
import { sable } from '../content/sable.ts';
import { theron } from '../content/theron.ts';
import type { Actor } from '../state.ts';
import {
  abilityModifier,
  abilityScore,
  proficiencyBonus,
  saveModifier,
  skillModifier,
  spellSaveDc,
} from './abilities.ts';
import { armorClass } from './armor.ts';

const wearing = (actor: Actor, name: string, change: Partial<Actor['items'][number]>): Actor => ({
  ...actor,
  items: actor.items.map((item) => (item.name === name ? { ...item, ...change } : item)),
});

describe('SRD 5.1, Using Ability Scores', () => {
  test.each([[1, -5], [8, -1], [9, -1], [10, 0], [11, 0], [18, 4], [30, 10]])(
    'score %i has modifier %i',
    (score, modifier) => {
      const actor = { ...mira, items: [], abilities: { ...mira.abilities, str: { score, saveProficient: false } } };
      expect(abilityModifier(actor, 'str')).toBe(modifier);
    },
  ); // prettier-ignore

  test.each([[1, 2], [4, 2], [5, 3], [9, 4], [13, 5], [17, 6], [20, 6]])('level %i has proficiency +%i', (level, bonus) =>
    expect(proficiencyBonus({ ...mira, level })).toBe(bonus),
  ); // prettier-ignore

  test.each([[1 / 8, 2], [4, 2], [5, 3], [30, 9]])('challenge %d has proficiency +%i', (challenge, bonus) =>
    expect(proficiencyBonus({ ...ghoul, challenge })).toBe(bonus),
  ); // prettier-ignore

  test('skills add proficiency once, expertise twice', () => {
    expect(skillModifier(mira, 'prc')).toBe(2 + 3);
    expect(skillModifier(mira, 'ath')).toBe(-1);
    expect(skillModifier(sable, 'ste')).toBe(4 + 2 * 3);
  });

  test('`itm` is intimidation and `inv` investigation', () => {
    expect(skillModifier(theron, 'itm')).toBe(0 + 3);
    expect(skillModifier(mira, 'inv')).toBe(4 + 3);
  });

  test('saves add proficiency where the class has it', () => {
    expect(saveModifier(borin, 'wis')).toBe(3 + 3);
    expect(saveModifier(borin, 'con')).toBe(2);
  });

  test('spell save DC is 8 + proficiency + ability', () => {
    expect([spellSaveDc(mira), spellSaveDc(borin)]).toEqual([15, 14]);
  });
});

describe('SRD 5.1, Equipment: Armor', () => {
  test('the stat blocks come out as printed', () => {
    expect([ghoul, cultist].map(armorClass)).toEqual([12, 12]);
  });

  test('heavy armor takes no dexterity, light takes all, none is 10 + dexterity', () => {
    // Chain mail 16, shield 2.
    expect(armorClass(borin)).toBe(18);
    // Studded leather 12, dexterity 4.
    expect(armorClass(sable)).toBe(16);
    // Dexterity 2, cloak of protection 1.
    expect(armorClass(mira)).toBe(13);
    // Chain mail 16, shield 2, Defense 1, ring and cloak of protection 2.
    expect(armorClass(theron)).toBe(21);
  });

  test('medium armor takes at most 2 of dexterity', () => {
    const scale = { armor: { kind: 'medium', value: 14, noisy: true } } as const;
    expect(armorClass(wearing(sable, 'Studded Leather', scale))).toBe(16);
  });

  test('what is stowed protects nobody', () => {
    expect(armorClass(wearing(borin, 'Shield', { equipped: false }))).toBe(16);
  });
});

describe('SRD 5.1, Magic Items: Attunement', () => {
  const gauntlets = (attuned: boolean) =>
    wearing({ ...theron, abilities: mira.abilities }, 'Gauntlets of Ogre Power', {
      equipped: true,
      attunement: { required: true, attuned },
    });

  test('an item that asks for it works only when attuned', () => {
    expect(abilityScore(gauntlets(false), 'str')).toBe(8);
    expect(abilityScore(gauntlets(true), 'str')).toBe(19);
  });

  test('a set score does not lower a higher one', () => {
    const strong = {
      ...gauntlets(true),
      abilities: { ...mira.abilities, str: { score: 20, saveProficient: false } },
    };
    expect(abilityScore(strong, 'str')).toBe(20);
  });
});
