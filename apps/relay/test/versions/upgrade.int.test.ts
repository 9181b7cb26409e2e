import { createTestDatabase } from '@tabletop-relay/testing';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { runRollingRestart } from '../cluster/rolling/rolling-restart.ts';
import { unpackReleaseBefore } from './release-before.ts';

/** `pnpm soak --upgrade` does the same with 300 worlds and 200 calls a second, and replaces all three. */
const release = unpackReleaseBefore();
afterAll(() => release.remove());

it.skipIf(!release.runsBeside)(
  'an upgrade and the way back under load cost worlds on our SDK nothing, and others 503s that were not sent',
  async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const { sdk, bare, onlineAtTheEnd } = await runRollingRestart({
      databaseUrl: database.url,
      // One of the release before stays beside them.
      replaced: 2,
      sdkWorlds: 24,
      bareWorlds: 6,
      callsPerSecond: 60,
      rounds: 2,
      apps: [release.app, undefined, release.app],
      drainSpreadMs: 500,
      drainGraceMs: 3_000,
    });
    // Alone, so that what failed is told in whole.
    expect(sdk.failed).toEqual([]);
    expect(bare.failed).toEqual([]);
    expect(sdk.notSent).toBe(0);
    expect(Math.min(sdk.ok, bare.ok)).toBeGreaterThan(100);
    expect(onlineAtTheEnd).toBe(30);
  },
  120_000,
);
