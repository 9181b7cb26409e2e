import { beforeAll, describe, expect, test } from 'vitest';
import { loadNotation, rollNotation } from './notation.ts';
import { createRandom } from './random.ts';

beforeAll(loadNotation);

describe('a formula', () => {
  test.each([
    ['2d6 + 3', 5, 15],
    ['4d6dl1', 3, 18],
    ['2d20kh + 1d4', 2, 24],
    ['2d20kl', 1, 20],
    ['4d6k3', 3, 18],
    ['(1d4 + 1) * 2', 4, 10],
    ['floor(1d6 / 4)', 0, 1],
    ['{1d6, 1d8}kh', 1, 8],
    ['{(1d4 + 1), 1d6}sd', 3, 11],
    ['{1d6, 5}sd', 6, 11],
    ['1d20[fire] + 3', 4, 23],
    ['1d6r1', 1, 6],
    ['d%', 1, 100],
    ['5', 5, 5],
    ['1d1000', 1, 1000],
    ['100d6', 100, 600],
    ['10d6!', 10, 3000],
  ])('%s is rolled', (formula, least, most) => {
    const totals = Array.from({ length: 50 }, (_, seed) => rollNotation(formula, createRandom(seed)).total);
    expect(Math.min(...totals)).toBeGreaterThanOrEqual(least);
    expect(Math.max(...totals)).toBeLessThanOrEqual(most);
  });

  test('shows each die, and which of them count', () => {
    const { dice } = rollNotation('2d20kh + {1d6,1d8}kl', createRandom(1));
    expect(dice.map(({ faces }) => faces)).toEqual([20, 6, 8]);
    expect(dice[0]!.results.filter(({ kept }) => kept)).toHaveLength(1);
    expect(
      dice
        .slice(1)
        .flatMap(({ results }) => results)
        .filter(({ kept }) => kept),
    ).toHaveLength(1);
  });

  test('says what fell, and nothing of the formula and the total, which stand beside it', () => {
    expect(rollNotation('2d6 + 1', createRandom(1)).result).toMatch(/^\[\d, \d\]\+1$/);
  });

  test('explodes on the number after an x, where there is one', () => {
    for (let seed = 0; seed < 50; seed++) {
      const values = rollNotation('d6x1', createRandom(seed)).dice[0]!.results.map(({ value }) => value);
      expect(values.map((value) => value === 1)).toEqual(values.map((_value, at) => at < values.length - 1));
    }
  });

  test('gives the same dice for the same seed', () => {
    const roll = () => rollNotation('10d10 + 3d6!', createRandom(7));
    expect(roll()).toEqual(roll());
  });

  test.each([
    'junk',
    '',
    '101d6',
    '50d6 + 51d6',
    '1d1001',
    '11d6!',
    '11d6r<2',
    '{60d6,60d6}',
    '1/0',
    '1d1!',
    '@x',
  ])('%s is refused', (formula) => {
    expect(() => rollNotation(formula, createRandom(1))).toThrow(
      expect.objectContaining({ code: 'invalid_formula' }) as Error,
    );
  });
});
