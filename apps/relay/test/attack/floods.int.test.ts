import { createTestDatabase } from '@tabletop-relay/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { floods } from './floods/list.ts';
import type { Flood } from './floods/flood.ts';
import { startFloodRig } from './floods/rig.ts';
import type { FloodRig } from './floods/rig.ts';
import { runFlood } from './floods/run.ts';
import { createTally } from './tally.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let rig: FloodRig;
/** Of the whole life of the relay, its log at the end included. */
const whole = createTally();

beforeAll(async () => {
  database = await createTestDatabase();
  rig = await startFloodRig(database.url, whole, {
    // The owner of a guessed account waits for so long at most; as many find a place in the line as are heard by then.
    SIGN_IN_WAIT_MS: '2000',
  });
}, 60_000);
afterAll(async () => {
  await rig.stop();
  await database.drop();
});

/** Short: what can be judged on a busy machine. How fast others are answered is measured by `pnpm attack`. */
describe('no call of another tenant fails, and no record of theirs is lost, while there are', () => {
  const bounded = floods.filter(({ isLost }) => !isLost);
  it.each(bounded.map((flood) => [flood.title, flood] as const))('%s', async (_title, flood) => {
    const tally = createTally();
    const task: Flood['task'] = (rig) => {
      const whole = flood.task(rig);
      return { ...whole, addresses: flood.addressesInTests ?? whole.addresses };
    };
    await runFlood({ ...rig, tally }, { ...flood, task }, 500);
    expect(tally.findings()).toEqual([]);
  });

  it('all of it, up to the end of the relay', async () => {
    await rig.stop();
    expect(whole.findings()).toEqual([]);
  });
});
