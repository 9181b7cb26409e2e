import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Claim, Instance } from '../../cluster.ts';
import { createClaims } from './claims.ts';
import { createReassert } from './reassert.ts';
import type { ReassertOptions } from './reassert.ts';
import { claimOn, createFakeShard } from '../../../test/fakes/fake-shard.ts';

const reassertMs = 20_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const settle = () => vi.advanceTimersByTimeAsync(0);

/** An instance that owns as many clients, each with an open socket. */
function setUp(count: number) {
  const fake = createFakeShard();
  const claims = createClaims();
  const open: Claim[] = [];
  const evict = vi.fn<(conn: string, why: string) => void>();
  const warn = vi.fn<() => void>();
  const own = (name: string, more = {}) => {
    const claim = claimOn(fake, `conn ${name}`, { clientId: name, claimedAt: -reassertMs, ...more });
    claims.owned.set(name, claim);
    return claim;
  };
  for (let index = 0; index < count; index++) open.push(own(`client ${index}`));
  const instance = { claims: () => open, evict } as unknown as Instance;
  const renewed = createReassert({
    boot: 'boot',
    claims,
    instance: () => instance,
    times: { reassertMs } as ReassertOptions['times'],
    log: { info: () => {}, warn } as unknown as ReassertOptions['log'],
  });
  /** Answers the oldest script that waits. */
  const answer = async (value: unknown) => {
    runs.shift()?.answer.resolve(value);
    await settle();
  };
  const { runs } = fake;
  return {
    fake,
    claims,
    open,
    own,
    evict,
    warn,
    answer,
    renewed: (atOnce = false) => renewed(fake.shard, atOnce),
  };
}

it('claims are asserted at once when they must be, else every 20 s', async () => {
  const { fake, answer, renewed } = setUp(1);
  renewed();
  expect(fake.runs).toHaveLength(0);
  renewed(true);
  expect(fake.runs).toHaveLength(1);
  await answer([]);
  await vi.advanceTimersByTimeAsync(reassertMs);
  renewed();
  expect(fake.runs).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(1);
  renewed();
  expect(fake.runs).toHaveLength(1);
  await answer([]);
  renewed();
  expect(fake.runs).toHaveLength(0);
});

it('one round runs at a time, and what was due meanwhile, or has failed, comes with the next renewal', async () => {
  const { fake, answer, renewed } = setUp(1);
  renewed(true);
  renewed(true);
  expect(fake.runs).toHaveLength(1);
  await answer([]);
  renewed();
  expect(fake.runs).toHaveLength(1);
  fake.runs.shift()?.answer.reject(new Error('away'));
  await settle();
  renewed();
  expect(fake.runs).toHaveLength(1);
});

it('five hundred go at a time, and the next 100 ms later unless another round is due', async () => {
  const { fake, answer, renewed } = setUp(1_201);
  renewed(true);
  expect(fake.runs[0]?.keys).toHaveLength(500);
  await answer([]);
  expect(fake.runs).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(100);
  expect(fake.runs[0]?.keys).toHaveLength(500);
  renewed(true);
  await answer([]);
  expect(fake.runs[0]?.keys).toHaveLength(201);
});

it('a claim that Redis confirms acts in the present term, and one that it does not is asserted for itself', async () => {
  const { fake, claims, answer, renewed } = setUp(2);
  fake.state.term = 2;
  renewed(true);
  await answer([2]);
  expect([claims.owned.get('client 0')?.term, claims.owned.get('client 1')?.term]).toEqual([2, 1]);
  expect(fake.runs.map(({ keys }) => keys)).toEqual([['r:own:client 1']]);
  await answer(['mine', '9']);
  expect(claims.owned.get('client 1')).toMatchObject({ term: 2, epoch: 9 });
  expect(fake.runs).toEqual([]);
});

it('a client that is another’s by now is dropped, and its socket told', async () => {
  const { claims, evict, warn, answer, renewed } = setUp(1);
  renewed(true);
  await answer([1]);
  await answer(['held', 'another boot', 'another conn', '1', 'token relay-2']);
  expect(claims.owned.size).toBe(0);
  expect(evict.mock.calls).toEqual([['conn client 0', 'superseded']]);
  expect(warn).toHaveBeenCalledTimes(1);
});

it('a claim that was released while it was asserted is released again, and its socket is not told twice', async () => {
  const { fake, claims, evict, answer, renewed } = setUp(2);
  renewed(true);
  await answer([1, 2]);
  claims.lose('client 0', 'conn client 0');
  claims.lose('client 1', 'conn client 1');
  await answer(['mine', '4']);
  expect(fake.runs.at(-1)?.args).toEqual(['conn client 0', 0, 0, 'unknown']);
  await answer(['held', 'another boot', 'another conn', '1', 'token relay-2']);
  expect(evict).not.toHaveBeenCalled();
});

it('a claim that went between the confirmation and the assertion is not sent', async () => {
  const { fake, claims, answer, renewed } = setUp(1);
  renewed(true);
  claims.lose('client 0', 'conn client 0');
  await answer([1]);
  expect(fake.runs).toEqual([]);
});

it('a claim whose socket is gone is released, and a young one may wait for its socket', async () => {
  const { fake, claims, own, renewed } = setUp(0);
  await vi.advanceTimersByTimeAsync(reassertMs);
  own('old', { claimedAt: performance.now() - reassertMs - 1 });
  own('young', { claimedAt: performance.now() });
  renewed(true);
  expect(fake.runs.map(({ keys }) => keys)).toEqual([['r:own:young'], ['r:own:old', 'r:wait:old']]);
  expect([...claims.owned.keys()]).toEqual(['young']);
});
