import { expect, test } from 'vitest';
import { hasManyBrackets } from './parse-json.ts';

test.each(['{},', '[],', '[', '{"a":['])('a body of %j has too many brackets to be parsed', (unit) => {
  expect(hasManyBrackets(unit.repeat(100_000))).toBe(true);
});

test('as many as there may be are fine, and one more is not', () => {
  const padding = ' '.repeat(65_536);
  expect(hasManyBrackets(`${'['.repeat(25_000)}${'{'.repeat(25_000)}${padding}`)).toBe(false);
  expect(hasManyBrackets(`${'['.repeat(25_000)}${'{'.repeat(25_001)}${padding}`)).toBe(true);
});

test('a longer body may have as many as an actor with many items', () => {
  const item = {
    system: { uses: { max: '', recovery: [] }, damage: { parts: [['1d6', 'fire']] } },
    text: 'x'.repeat(200),
  };
  const actor = JSON.stringify({ items: Array.from({ length: 30_000 }, () => item) });
  expect(actor.length).toBeGreaterThan(7_900_000);
  expect(hasManyBrackets(actor)).toBe(false);
  expect(hasManyBrackets('[],'.repeat(2_600_000))).toBe(true);
});

test('a scene of five thousand walls may be sent, and so may a short body, which costs little whatever it is', () => {
  const wall = { c: [1000, 1100, 1200, 1300], flags: {}, threshold: { light: null }, light: 20, move: 20 };
  expect(hasManyBrackets(JSON.stringify({ walls: Array.from({ length: 5_000 }, () => wall) }))).toBe(false);
  expect(hasManyBrackets('['.repeat(65_536))).toBe(false);
});
