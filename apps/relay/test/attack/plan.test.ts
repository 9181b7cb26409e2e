import { expect, it } from 'vitest';
import { newOutcome } from './outcome.ts';
import { endsOfParts, readPlan } from './plan.ts';
import { hasBroken, renderReport } from './report.ts';
import { createTally } from './tally.ts';

it('the parts of an attack end one after the other, and all within its time', () => {
  const ends = endsOfParts(readPlan({}));
  const inOrder = [ends.matrix, ends.schema, ends.races, ends.floods, 45 * 60_000];
  expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
  expect(new Set(inOrder).size).toBe(inOrder.length);
});

it('one part alone has nearly all of the time', () => {
  const ends = endsOfParts(readPlan({ only: 'races', minutes: '10' }));
  expect(ends.races).toBeGreaterThan(6 * 60_000);
  expect(ends.races).toBeLessThan(10 * 60_000);
});

it('an attack that left a part of its plan undone has failed, and says of what', () => {
  const outcome = newOutcome(readPlan({}));
  outcome.tallies.matrix = createTally();
  expect(hasBroken(outcome)).toBe(false);
  outcome.undone.push('tries of routes: 1 of 2 are done');
  expect(hasBroken(outcome)).toBe(true);
  expect(renderReport(outcome)).toContain('No time was left for tries of routes: 1 of 2 are done');
});
