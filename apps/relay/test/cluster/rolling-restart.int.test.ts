import { createTestDatabase } from '@tabletop-relay/testing';
import { expect, it, onTestFinished } from 'vitest';
import { runRollingRestart } from './rolling/rolling-restart.ts';

/** Each of the three instances is taken out and in again by a reload. */
const mostCut = 6;

/** `pnpm soak` does the same with 300 worlds and 200 calls a second. */
it.each(['haproxy', 'nginx'] as const)(
  'a rolling restart behind %s is noticed by no world on our SDK, and costs the others 503s that were not sent',
  async (proxy) => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const report = await runRollingRestart({
      databaseUrl: database.url,
      sdkWorlds: 48,
      bareWorlds: 12,
      callsPerSecond: 60,
      rounds: 1,
      drainSpreadMs: 1_000,
      drainGraceMs: 3_000,
      proxy,
    });
    const { sdk, bare, longestAwayMs, onlineAtTheEnd } = report;
    // Alone, so that what failed is told in whole.
    expect(sdk.failed).toEqual([]);
    expect(bare.failed).toEqual([]);
    expect(sdk.notSent).toBe(0);
    // A reload of nginx closes idle connections of callers: a call that is sent just then reaches nobody.
    expect(sdk.cut + bare.cut).toBeLessThanOrEqual(mostCut);
    expect(Math.min(sdk.ok, bare.ok)).toBeGreaterThan(100);
    expect(longestAwayMs.sdk).toBeLessThan(250);
    expect(onlineAtTheEnd).toBe(60);
  },
  180_000,
);
