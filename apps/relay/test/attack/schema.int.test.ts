import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { collectRoutes } from './matrix/routes.ts';
import { fuzzSchemas } from './schema/run.ts';
import { createTally } from './tally.ts';

const seed = 20_260_102;
const tally = createTally();
let cluster: TestInstances;

beforeAll(async () => {
  const collected = collectRoutes();
  cluster = await startInstances({ onRoute: collected.onRoute, config: { callTimeoutMs: 1_000 } });
  const [{ url }] = cluster.instances;
  await fuzzSchemas({ url, db: cluster.db, routes: collected.routes(), tally, seed, tries: 1_000 });
}, 120_000);
afterAll(() => cluster.stop());

describe(`a body of any route (seed ${seed})`, () => {
  it('is taken only where it fits the document, and refused for what the document tells', () => {
    expect(tally.findings()).toEqual([]);
  });
});
