import { createTestDatabase } from '@tabletop-relay/testing';
import { expect, it, onTestFinished } from 'vitest';
import { runRollingRestart } from './rolling/rolling-restart.ts';

/** `pnpm soak` replaces all three, with 300 worlds and 200 calls a second, and behind nginx too. */
it('a rolling restart is noticed by no world on our SDK, and costs the others 503s that were not sent', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const report = await runRollingRestart({
    databaseUrl: database.url,
    sdkWorlds: 24,
    bareWorlds: 6,
    callsPerSecond: 60,
    // So that a world comes over twice.
    replaced: 2,
    rounds: 1,
    drainSpreadMs: 1_000,
    drainGraceMs: 3_000,
  });
  const { sdk, bare, longestAwayMs, onlineAtTheEnd } = report;
  // Alone, so that what failed is told in whole.
  expect(sdk.failed).toEqual([]);
  expect(bare.failed).toEqual([]);
  expect(sdk.notSent).toBe(0);
  expect(sdk.cut + bare.cut).toBe(0);
  expect(Math.min(sdk.ok, bare.ok)).toBeGreaterThan(50);
  expect(longestAwayMs.sdk).toBeLessThan(250);
  expect(onlineAtTheEnd).toBe(30);
}, 180_000);
