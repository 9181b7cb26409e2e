import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadedDice } from '../../../../test/loaded-dice.ts';
import { Refusal } from '../../refusal.ts';
import { rollD20 } from './d20.ts';
import { rollFormula } from './dice.ts';
import { parseFormula } from './formula.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';

describe('a formula', () => {
  test.each([
    ['1d4+2', ['3/4'], '1d4 + 2', '3 + 2', 5],
    ['-1', [], '-1', '-1', -1],
    ['+ 1d6 - 1', ['6/6'], '1d6 - 1', '6 - 1', 5],
    ['d20', ['11/20'], '1d20', '11', 11],
    ['2d20kh + 5', ['4/20', '17/20'], '2d20kh + 5', '17 + 5', 22],
    ['2d20kl', ['4/20', '17/20'], '2d20kl', '4', 4],
    ['4d6dl1', ['6/6', '1/6', '5/6', '2/6'], '4d6kh3', '13', 13],
    ['1d20r1', ['1/20', '15/20'], '1d20r1', '15', 15],
    ['1d20r1', ['1/20', '1/20'], '1d20r1', '1', 1],
  ] as const)('%s is read, printed and rolled', (text, dice, formula, result, total) => {
    expect(rollFormula(text, loadedDice(...dice))).toMatchObject({ formula, result, total });
  });

  test('dropped dice are shown as not kept', () => {
    const { dice } = rollFormula('2d20kh', loadedDice('4/20', '17/20'));
    expect(dice).toEqual([{ faces: 20, results: [{ value: 4, kept: false }, { value: 17, kept: true }] }]); // prettier-ignore
  });

  test.each(['', 'x', '1d', 'd0', '0d6', '1d1001', '101d6', '51d6+50d6', '1++2', '2d20kh3', '1d6kh0', '1d4 2', '1 d4 2x'])(
    '"%s" is refused',
    (text) => expect(() => parseFormula(text)).toThrow(expect.objectContaining({ code: 'invalid_formula' })),
  ); // prettier-ignore

  test('whatever text it is, it is refused or rolled to a whole number', () => {
    const likely = fc.stringMatching(/^[0-9dkhlr+\- ]{1,20}$/);
    fc.assert(
      fc.property(fc.oneof(likely, fc.string()), fc.integer(), (text, seed) => {
        expect(isRefusedOrWhole(text, createRandom(seed))).toBe(true);
      }),
    );
  });
});

function isRefusedOrWhole(text: string, random: Random): boolean {
  try {
    return Number.isSafeInteger(rollFormula(text, random).total);
  } catch (error) {
    return error instanceof Refusal;
  }
}

test('a seed gives the same dice, and they are fair', () => {
  const random = createRandom(5);
  const counts = Array<number>(20).fill(0);
  for (let roll = 0; roll < 20_000; roll += 1) counts[Math.floor(random() * 20)]! += 1;
  expect(Math.min(...counts)).toBeGreaterThan(850);
  expect(Math.max(...counts)).toBeLessThan(1150);
  expect(rollFormula('9d9', createRandom(3))).toEqual(rollFormula('9d9', createRandom(3)));
});

describe('SRD 5.1, Using Ability Scores: Advantage and Disadvantage', () => {
  test('advantage keeps the higher of two', () => {
    const roll = rollD20({ modifier: 5, advantage: true }, loadedDice('3/20', '12/20'));
    expect(roll).toMatchObject({ natural: 12, total: 17, formula: '2d20kh + 5' });
  });

  test('disadvantage keeps the lower of two', () => {
    const roll = rollD20({ modifier: -1, disadvantage: true }, loadedDice('3/20', '12/20'));
    expect(roll).toMatchObject({ natural: 3, total: 2, formula: '2d20kl - 1' });
  });

  test('both cancel out: one die is rolled', () => {
    const roll = rollD20({ modifier: 0, advantage: true, disadvantage: true }, loadedDice('9/20'));
    expect(roll).toMatchObject({ natural: 9, total: 9, formula: '1d20 + 0' });
  });

  test('a bonus is added with its own dice, and does not count as the d20', () => {
    const roll = rollD20({ modifier: 2, bonus: '1d4+1' }, loadedDice('9/20', '4/4'));
    expect(roll).toMatchObject({
      natural: 9,
      total: 16,
      formula: '1d20 + 2 + 1d4 + 1',
      result: '9 + 2 + 4 + 1',
    });
  });
});

describe('SRD 5.1, Races: Halfling, Lucky', () => {
  test('a 1 is rolled again once', () => {
    expect(rollD20({ modifier: 0, lucky: true }, loadedDice('1/20', '18/20')).natural).toBe(18);
    expect(rollD20({ modifier: 0, lucky: true }, loadedDice('1/20', '1/20')).natural).toBe(1);
  });
});
