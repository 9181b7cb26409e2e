import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { createLogJudge } from './logs.ts';
import { collectRoutes } from './matrix/routes.ts';
import { runMatrix } from './matrix/run.ts';
import { createTally } from './tally.ts';

const seed = 20_260_101;
const tally = createTally();
let cluster: TestInstances;

beforeAll(async () => {
  const collected = collectRoutes();
  cluster = await startInstances({ onRoute: collected.onRoute, config: { callTimeoutMs: 1_000 } });
  const [{ url }] = cluster.instances;
  // What it said at its start is about this checkout, for example that pages are not built.
  cluster.logs.length = 0;
  const options = { url, db: cluster.db, routes: collected.routes(), tally, seed };
  const secrets = await runMatrix({ ...options, tries: 3_000, stride: 16 });
  const judgeLog = createLogJudge(tally, secrets);
  for (const line of cluster.logs) judgeLog(JSON.stringify(line));
}, 120_000);
afterAll(() => cluster.stop());

describe(`every route, attacked by everybody in every way (seed ${seed})`, () => {
  it('leaks, admits, changes and breaks nothing', () => {
    expect(tally.findings()).toEqual([]);
    expect(tally.tries).toBe(3_000);
  });
});
