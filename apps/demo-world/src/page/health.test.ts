import { expect, test } from 'vitest';
import { healthOf } from './health.ts';

test.each([
  ['alive', 40, 'good', 'Unhurt', 1],
  ['alive', 39, 'good', 'Hurt', 0.975],
  ['alive', 21, 'good', 'Hurt', 0.525],
  ['alive', 20, 'warn', 'Bloodied', 0.5],
  ['alive', 11, 'warn', 'Bloodied', 0.275],
  ['alive', 10, 'bad', 'Near death', 0.25],
  ['alive', 50, 'good', 'Unhurt', 1],
  ['alive', -5, 'bad', 'Near death', 0],
  ['dying', 0, 'bad', 'Dying', 0],
  ['stable', 0, 'bad', 'Stable at 0', 0],
  ['dead', 40, 'bad', 'Dead', 0],
] as const)('who is %s with %i of 40 hit points is shown as %s: %s', (life, value, tone, word, share) => {
  expect(healthOf({ life, hitPoints: { value, max: 40, temp: 0 } })).toEqual({ tone, word, share });
});

test('who can have no hit points at all is near death', () => {
  const hitPoints = { value: 0, max: 0, temp: 0 };
  expect(healthOf({ life: 'alive', hitPoints })).toEqual({ tone: 'bad', word: 'Near death', share: 0 });
});
