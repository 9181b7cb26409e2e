import { expect, test } from 'vitest';
import { sampleMutants } from './sample.ts';

const sources = ['mutation/src/sample.ts', 'mutation/src/reasons.ts'];

test('a seed chooses the same places each time, another seed chooses others', async () => {
  const first = await sampleMutants(sources, 20, 1);
  expect(await sampleMutants(sources, 20, 1)).toEqual(first);
  expect(await sampleMutants(sources, 20, 2)).not.toEqual(first);
  for (const range of first) expect(range).toMatch(/^mutation\/src\/\w+\.ts:\d+:\d+-\d+:\d+$/);
});

test('a sample larger than what there is brings places of every file', async () => {
  const all = await sampleMutants(sources, 10_000, 1);
  for (const source of sources) expect(all.some((range) => range.startsWith(source))).toBe(true);
});

test('a change of one file leaves the places of another as they were', async () => {
  const [first = '', second = ''] = sources;
  const all = await sampleMutants([second, first], 10_000, 1);
  expect(await sampleMutants([first], 10_000, 1)).toEqual(all.filter((range) => range.startsWith(first)));
});
