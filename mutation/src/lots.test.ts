import { expect, test } from 'vitest';
import { inOrderOfLots } from './lots.ts';
import type { Drawn } from './lots.ts';

const mutants = (file: string): Drawn[] =>
  Array.from({ length: 10 }, (_, index) => ({
    file,
    start: { line: index + 1, column: 1 },
    end: { line: index + 1, column: 7 },
    replacement: '',
  }));
const draw = (all: Drawn[], seed: number) => inOrderOfLots(all, seed, (mutant) => mutant);

const first = mutants('mutation/src/lots.ts');
const second = mutants('mutation/src/reasons.ts');

test('a seed draws the same order each time, another seed draws another', () => {
  expect(draw(first, 1)).toEqual(draw(first, 1));
  expect(draw(first, 2)).not.toEqual(draw(first, 1));
  expect(new Set(draw(first, 1))).toEqual(new Set(first));
});

test('a change of one file leaves the order of the mutants of another as it was', () => {
  const all = draw([...second, ...first], 1);
  expect(all.filter(({ file }) => file === 'mutation/src/lots.ts')).toEqual(draw(first, 1));
});

test('places with the same text have lots of their own', () => {
  const [one, other] = [first[0] as Drawn, first[1] as Drawn];
  const twice = draw([one, { ...one }, other, { ...other }], 1);
  expect(twice).toHaveLength(4);
});
