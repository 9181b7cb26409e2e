import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { ProblemError } from '../../problem.ts';
import { createAdmitJson, isCostly, isTooDense } from './read-json.ts';

const item = {
  system: { uses: { max: '', recovery: [] }, damage: { parts: [['1d6', 'fire']] } },
  text: 'x'.repeat(200),
};
const actor = JSON.stringify({ items: Array.from({ length: 27_000 }, () => item) });

test.each(['{},', '[],', '[', '{"a":['])('a body of %j alone is too dense', (unit) => {
  const body = unit.repeat(Math.ceil(8_000_000 / unit.length));
  expect([isCostly(body), isTooDense(body)]).toEqual([true, true]);
});

test('a body of names alone is too dense, however they are spaced', () => {
  for (const unit of ['"a":0,', '"a" :0,', '"a"\n:\n0,'])
    expect(isTooDense(unit.repeat(1_000_000))).toBe(true);
});

test('as many as are usual are cheap, and one more is costly', () => {
  const padding = ' '.repeat(2_000_000);
  expect(isCostly(`${'['.repeat(25_000)}${'{'.repeat(25_000)}${padding}`)).toBe(false);
  expect(isCostly(`${'['.repeat(25_000)}${'{'.repeat(25_001)}${padding}`)).toBe(true);
  expect(isCostly(`${':'.repeat(120_000)}${padding}`)).toBe(false);
  expect(isCostly(`${':'.repeat(120_001)}${padding}`)).toBe(true);
});

test('a scene of five thousand walls is cheap, and so is a short body, whatever it is', () => {
  const wall = { c: [1000, 1100, 1200, 1300], flags: {}, threshold: { light: null }, light: 20, move: 20 };
  expect(isCostly(JSON.stringify({ walls: Array.from({ length: 5_000 }, () => wall) }))).toBe(false);
  expect(isCostly('['.repeat(65_536))).toBe(false);
});

test('an actor of almost 8 MiB is costly, and may be sent', () => {
  expect(actor.length).toBeGreaterThan(7_500_000);
  expect([isCostly(actor), isTooDense(actor)]).toEqual([true, false]);
});

test('costly bodies come one in 10 s of an account, and one in a second of all', () => {
  let now = 1_000;
  const admit = createAdmitJson(() => now);
  const waitOf = (accountId: string, json = actor): string | undefined => {
    try {
      admit({ principal: { accountId } } as FastifyRequest, json);
      return undefined;
    } catch (error) {
      return error instanceof ProblemError ? error.headers['retry-after'] : 'no problem';
    }
  };
  expect(waitOf('a')).toBeUndefined();
  expect([waitOf('a'), waitOf('b'), waitOf('b', '{}')]).toEqual(['10', '1', undefined]);
  now += 1_000;
  expect([waitOf('b'), waitOf('a')]).toEqual([undefined, '9']);
  now += 9_000;
  expect([waitOf('a'), waitOf('c')]).toEqual([undefined, '1']);
});
