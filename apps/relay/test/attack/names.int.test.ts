import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { runNames } from './names/run.ts';
import { createTally } from './tally.ts';

const seed = 20_260_103;
const tally = createTally();
let cluster: TestInstances;

beforeAll(async () => {
  cluster = await startInstances({});
  await runNames({ url: cluster.instances[0].url, tally, seed, tries: 1_500 });
}, 120_000);
afterAll(() => cluster.stop());

describe(`a name that narrows a call, in any spelling and place (seed ${seed})`, () => {
  it('is refused or counts, and is never left out in silence', () => {
    expect(tally.findings()).toEqual([]);
    expect(tally.tries).toBe(1_500);
  });
});
