import path from 'node:path';
import { expect, test } from 'vitest';
import { choosePlans, findSlow, toOutcome } from './plugin.ts';

const fileName = path.resolve('mutation/src/plugin.ts');
const place = { start: { line: 1, column: 1 }, end: { line: 1, column: 2 } };
const killed = { fileName, location: place, mutatorName: 'Regex', status: 'Killed' };

test('a test that waited for too long counts as a time-out, any other failure as a kill', () => {
  const statusOf = (statusReason: string) => toOutcome({ ...killed, statusReason }).status;
  expect(statusOf('expected 1 to be 2')).toBe('Killed');
  expect(statusOf('Test timed out in 5000ms.\nIf this is')).toBe('Timeout');
  expect(statusOf('Hook timed out in 10000ms.')).toBe('Timeout');
  expect(toOutcome({ ...killed, status: 'Survived' })).toEqual({
    ...place,
    file: 'mutation/src/plugin.ts',
    replacement: '',
    mutator: 'Regex',
    status: 'Survived',
  });
});

const planOf = (plan: string, line: number, testFilter?: string[]) => ({
  plan,
  mutant: { ...killed, location: { start: { line, column: 0 }, end: { line, column: 5 } } },
  ...(testFilter ? { runOptions: { testFilter } } : {}),
});

test('a sample is of the mutants that tests reach, and the others stay', () => {
  const early = planOf('EarlyResult', 1);
  const uncovered = planOf('Run', 2, []);
  const reached = Array.from({ length: 10 }, (_, index) => planOf('Run', index + 3, ['a test']));
  const plans = [early, ...reached, uncovered];
  expect(choosePlans(plans, { seed: 1, size: 4 })).toBe(10);
  expect(plans).toHaveLength(6);
  expect(plans.slice(0, 2)).toEqual([early, uncovered]);
  for (const plan of plans.slice(2)) expect(reached).toContain(plan);

  const all = [early, ...reached, uncovered];
  expect(choosePlans(all, { seed: 1 })).toBe(10);
  expect(all.slice(0, 6)).toEqual(plans);
  expect(new Set(all)).toEqual(new Set([early, ...reached, uncovered]));
});

test('unit tests that take most of their time without a mutant are told', () => {
  const test = { name: 'waits', timeSpentMs: 2_600, fileName: 'apps/a.test.ts' };
  expect(
    findSlow([test, { ...test, timeSpentMs: 2_000 }, { ...test, fileName: 'apps/a.int.test.ts' }]),
  ).toEqual([{ name: 'waits', timeSpentMs: 2_600 }]);
});
