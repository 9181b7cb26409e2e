import { expect, test } from 'vitest';
import { kindOf } from './kinds.ts';

test.each([
  ['Actor.mira', 'Actor'],
  ['Actor.mira.Item.dagger', 'Item'],
  ['mira', undefined],
  ['Nothing.mira', undefined],
  ['Compendium.Actor.mira', undefined],
])('the kind of %s is %s', (uuid, kind) => {
  expect(kindOf(uuid)).toBe(kind);
});
