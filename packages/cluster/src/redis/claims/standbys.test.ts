import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFakeShard } from '../../../test/fakes/fake-shard.ts';
import type { Claim } from '../../cluster.ts';
import { ClusterUnavailable } from '../../failures.ts';
import { createRedisStandbys } from './standbys.ts';
import type { RedisStandbysOptions } from './standbys.ts';

const lookMs = 1_000;
const standby: Claim = { clientId: 'client', conn: 'conn', accountId: 'account', meta: '' };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  const fake = createFakeShard();
  const { shard, runs, commands } = fake;
  const standbys = createRedisStandbys({
    boot: 'boot', shards: [shard], shardOf: () => shard, times: { lookMs }, instance: () => ({ promote: () => {} }),
  } as unknown as RedisStandbysOptions); // prettier-ignore
  const answerRun = (value: unknown) => runs.shift()?.answer.resolve(value);
  const removed = () => commands.splice(0).map(({ args, answer }) => ({ conn: args[1], answer }));
  const look = () => vi.advanceTimersByTimeAsync(lookMs);
  return { standbys, runs, answerRun, removed, look };
}

async function setUpWaiting() {
  const all = setUp();
  const joined = all.standbys.join(standby);
  all.answerRun(1);
  expect(await joined).toBe('waiting');
  all.standbys.start();
  return all;
}

it('a standby that left while Redis was away is taken off the list when it answers again, and then no more', async () => {
  const { standbys, removed, look } = await setUpWaiting();
  standbys.leave('client', 'conn');
  removed()[0]?.answer.reject(new ClusterUnavailable('away'));
  await look();
  const again = removed();
  expect(again.map(({ conn }) => conn)).toEqual(['conn']);
  again[0]?.answer.resolve(1);
  await look();
  await look();
  expect(removed()).toEqual([]);
  standbys.stop();
});

it('a standby of which Redis did not say that it is on the list is taken off it', async () => {
  const { standbys, runs, removed } = setUp();
  const joined = standbys.join(standby);
  runs.shift()?.answer.reject(new ClusterUnavailable('away'));
  await expect(joined).rejects.toThrow(ClusterUnavailable);
  expect(removed().map(({ conn }) => conn)).toEqual(['conn']);
});

it('a standby that leaves while it is put on a lost list again is not left there', async () => {
  const { standbys, runs, answerRun, removed, look } = await setUpWaiting();
  await look();
  standbys.leave('client', 'conn');
  removed()[0]?.answer.resolve(0);
  // It looked before it left: the list of this client was lost.
  answerRun([[], [1]]);
  await vi.advanceTimersByTimeAsync(0);
  expect(runs).toEqual([]);
  standbys.stop();
});
