import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Claim } from '../../cluster.ts';
import { ClusterUnavailable } from '../../failures.ts';
import { createClaims, createRedisDirectory } from './claims.ts';
import type { DirectoryOptions } from './claims.ts';
import { createFakeShard } from '../../../test/fakes/fake-shard.ts';

const claimMs = 8_000;
const claim: Claim = { clientId: 'client', conn: 'conn', accountId: 'account', meta: '' };
const incumbent = ['its boot', 'its conn', '7', 'token relay-2'];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const settle = () => vi.advanceTimersByTimeAsync(0);

function setUp() {
  const fakes = [createFakeShard(0), createFakeShard(1)] as const;
  const claims = createClaims();
  const isHeld = vi.fn<(boot: string, shard: number) => Promise<boolean>>().mockResolvedValue(false);
  const check = vi.fn<(clientId: string, conn: string) => Promise<'gone'>>().mockResolvedValue('gone');
  const ask = vi.fn<() => Promise<'alive' | 'no_answer'>>().mockResolvedValue('alive');
  const shards = fakes.map(({ shard }) => shard);
  const directory = createRedisDirectory({
    boot: 'boot',
    claims,
    shards,
    shardOf: (clientId: string) => shards[clientId.startsWith('other') ? 1 : 0],
    holds: { hold: () => Promise.resolve(), isHeld },
    claimCheck: { check, releaseStale: () => {} },
    probes: { ask, onAnswer: () => {} },
    times: { claimMs, claimPauseMs: 100 },
  } as unknown as DirectoryOptions);
  const { runs } = fakes[0];
  const answer = async (value: unknown) => {
    runs.shift()?.answer.resolve(value);
    await settle();
  };
  return { directory, fakes, runs, claims, isHeld, check, ask, answer };
}

it('a client of a shard that does not answer cannot be claimed, which is told at once', async () => {
  const { directory, fakes } = setUp();
  fakes[0].state.isAnswering = false;
  expect(await directory.claim(claim)).toEqual({ outcome: 'unavailable', cause: 'shard 0 does not answer' });
  expect(fakes[0].runs).toEqual([]);
});

it('a claim counts as on its way until it is answered, and then acts in the term in which it was sent', async () => {
  const { directory, claims, answer } = setUp();
  const outcome = directory.claim(claim);
  expect([...claims.claiming]).toEqual(['conn']);
  await answer(['mine', '5']);
  expect(await outcome).toEqual({ outcome: 'mine', epoch: 5 });
  expect(claims.claiming.size).toBe(0);
  expect(claims.owned.get('client')).toMatchObject({ conn: 'conn', epoch: 5, term: 1 });
  expect(directory.authority('client')).toBe('owner');
});

it('a claim that was answered after the authority lapsed is not kept, and released', async () => {
  const { directory, fakes, runs, claims, answer } = setUp();
  const outcome = directory.claim(claim);
  fakes[0].state.term = 2;
  await answer(['mine', '5']);
  expect(await outcome).toMatchObject({
    outcome: 'unavailable',
    cause: 'the authority lapsed while the claim was made',
  });
  expect(claims.owned.size).toBe(0);
  expect(runs.map(({ args }) => args)).toEqual([['conn', 0, 0, 'unknown']]);
});

it('a claim that Redis did not answer is released; after a handover the client is moving meanwhile', async () => {
  const { directory, runs } = setUp();
  for (const handover of [undefined, Buffer.from('handover')]) {
    const outcome = directory.claim(claim, handover as never);
    runs.shift()?.answer.reject(new Error('no answer in time'));
    await settle();
    expect(await outcome).toEqual({ outcome: 'unavailable', cause: 'no answer in time' });
    expect(runs.shift()?.args).toEqual(
      handover ? ['conn', 5_000, 1_667, 'unknown'] : ['conn', 0, 0, 'unknown'],
    );
  }
});

it('a claim that was never sent is not released', async () => {
  const { directory, runs } = setUp();
  const outcome = directory.claim(claim);
  runs.shift()?.answer.reject(new ClusterUnavailable('no Redis'));
  await settle();
  expect(await outcome).toEqual({ outcome: 'unavailable', cause: 'no Redis' });
  expect(runs).toEqual([]);
});

it('an incumbent whose lease ended loses its client, unless it has a hold on this shard', async () => {
  const { directory, runs, isHeld, answer } = setUp();
  isHeld.mockResolvedValueOnce(true);
  const kept = directory.claim(claim);
  await answer(['lapsed', ...incumbent]);
  expect(await kept).toEqual({ outcome: 'duplicate', instanceId: 'relay-2' });
  expect(isHeld.mock.calls).toEqual([['its boot', 0]]);
  const taken = directory.claim(claim);
  await answer(['lapsed', ...incumbent]);
  expect(runs[0]?.args[3]).toBe('its boot 7');
  await answer(['mine', '6']);
  expect(await taken).toEqual({ outcome: 'mine', epoch: 6 });
});

it('an incumbent of this instance is asked here, also where its lease ended while the machine slept', async () => {
  const { directory, check, ask, isHeld, answer } = setUp();
  for (const state of ['held', 'lapsed']) {
    const outcome = directory.claim(claim);
    await answer([state, 'boot', 'older', '7', 'token relay-1']);
    await answer(['mine', '6']);
    expect(await outcome).toEqual({ outcome: 'mine', epoch: 6 });
  }
  expect(check.mock.calls).toEqual([
    ['client', 'older'],
    ['client', 'older'],
  ]);
  expect([ask, isHeld].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
});

it('a claim against one that neither answers nor lapses is given up in time', async () => {
  const { directory, runs, ask } = setUp();
  ask.mockResolvedValue('no_answer');
  const told = vi.fn<(outcome: unknown) => void>();
  void directory.claim(claim).then(told);
  const passTenth = async () => {
    runs.shift()?.answer.resolve(['held', ...incumbent]);
    await vi.advanceTimersByTimeAsync(100);
  };
  for (let tenths = 0; tenths < claimMs / 100 - 1; tenths++) await passTenth();
  expect(told).not.toHaveBeenCalled();
  for (let tenths = 0; tenths < 3; tenths++) await passTenth();
  expect(told.mock.calls).toMatchObject([[{ outcome: 'unavailable' }]]);
  expect(ask).toHaveBeenCalledTimes(1);
});

it('each shard is asked for its own clients, five hundred at a time', async () => {
  const { directory, fakes } = setUp();
  const found = directory.find(['other', ...Array.from({ length: 501 }, (_, index) => `client ${index}`)]);
  expect(fakes.map(({ runs }) => runs.map(({ keys }) => keys.length))).toEqual([[500], [1]]);
  fakes[1].runs[0]?.answer.resolve([['account', 'meta', '1']]);
  fakes[0].runs[0]?.answer.resolve([['account', 'meta', ''], []]);
  await settle();
  fakes[0].runs[1]?.answer.resolve([[]]);
  expect([...(await found).values()]).toEqual([
    { clientId: 'client 0', accountId: 'account', meta: 'meta', moving: false },
    { clientId: 'other', accountId: 'account', meta: 'meta', moving: true },
  ]);
});
