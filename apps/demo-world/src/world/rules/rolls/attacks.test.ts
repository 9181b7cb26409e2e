import { describe, expect, test } from 'vitest';
import { loadedDice } from '../../../../test/loaded-dice.ts';
import { mira } from '../../content/mira.ts';
import { ghoul } from '../../content/monsters.ts';
import { theron } from '../../content/theron.ts';
import type { Actor } from '../../state.ts';
import type { AttackEffect } from './attacks.ts';
import { damageModifier, rollAttack, rollDamage } from './attacks.ts';

const weapon = (actor: Actor, name: string) =>
  actor.items.find((item) => item.name === name)?.effect as AttackEffect;
const longsword = weapon(theron, 'Longsword');
const standing: Actor = { ...theron, life: 'alive', conditions: [] };

describe('SRD 5.1, Combat: Making an Attack', () => {
  test('the armor class hits, one less misses', () => {
    // +4 strength, +3 proficiency against AC 12.
    expect(rollAttack(standing, longsword, ghoul, loadedDice('5/20'))).toMatchObject({
      hit: true,
      critical: false,
    });
    expect(rollAttack(standing, longsword, ghoul, loadedDice('4/20'))).toMatchObject({ hit: false });
  });

  test('a natural 1 misses whatever the total', () => {
    const easy = { ...ghoul, naturalArmor: 1 };
    expect(rollAttack(standing, longsword, easy, loadedDice('1/20')).hit).toBe(false);
  });

  test('a natural 20 hits whatever the armor class, and is critical', () => {
    const hard = { ...ghoul, naturalArmor: 40 };
    expect(rollAttack(mira, weapon(mira, 'Fire Bolt'), hard, loadedDice('20/20'))).toMatchObject({
      hit: true,
      critical: true,
    });
  });

  test('SRD 5.1, Fighter: Improved Critical makes 19 critical with weapons', () => {
    expect(rollAttack(standing, longsword, ghoul, loadedDice('19/20')).critical).toBe(true);
    expect(rollAttack(mira, weapon(mira, 'Quarterstaff'), ghoul, loadedDice('19/20')).critical).toBe(false);
  });

  test('the stat block’s bonuses come out: ghoul bite +2, claws +4', () => {
    expect(rollAttack(ghoul, weapon(ghoul, 'Bite'), null, loadedDice('10/20')).roll.total).toBe(12);
    expect(rollAttack(ghoul, weapon(ghoul, 'Claws'), null, loadedDice('10/20')).roll.total).toBe(14);
    expect(damageModifier(ghoul, weapon(ghoul, 'Bite'))).toBe(2);
    expect(damageModifier(ghoul, { ...weapon(ghoul, 'Bite'), magic: 1 })).toBe(3);
  });

  test('a critical hit doubles the dice and not the modifier', () => {
    const roll = rollDamage(
      { formula: '1d8', type: 'slashing' },
      { modifier: 4, critical: true },
      loadedDice('3/8', '5/8'),
    );
    expect(roll).toMatchObject({ formula: '2d8 + 4', total: 12 });
  });

  test('higher slots add their dice', () => {
    const fireball = { formula: '1d6', type: 'fire', perSlotLevel: '1d6' };
    expect(rollDamage(fireball, { slotLevelsAbove: 2 }, loadedDice('1/6', '2/6', '3/6')).total).toBe(6);
  });
});

describe('SRD 5.1, Appendix PH-A: Conditions', () => {
  test.each([
    ['blinded', undefined, '2d20kl + 7'],
    ['invisible', undefined, '2d20kh + 7'],
    [undefined, 'paralyzed', '2d20kh + 7'],
    [undefined, 'invisible', '2d20kl + 7'],
    ['poisoned', 'restrained', '1d20 + 7'],
  ])('attacker %s, target %s: %s', (attacker, target, formula) => {
    const conditions = (name: string | undefined) => (name ? [name] : []);
    const { roll } = rollAttack(
      { ...standing, conditions: conditions(attacker) },
      longsword,
      { ...ghoul, conditions: conditions(target) },
      loadedDice('9/20', '9/20'),
    );
    expect(roll.formula).toBe(formula);
  });
});
