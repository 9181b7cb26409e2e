import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createHolds } from './holds.ts';
import type { HoldsOptions } from './holds.ts';
import { createFakeShard } from '../../../test/fakes/fake-shard.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Two shards, and a Postgres that answers when the test says so. */
function setUp() {
  const writes: { shards: readonly number[]; ms: number; answer: PromiseWithResolvers<void> }[] = [];
  const hold = (_boot: string, shards: readonly number[], ms: number) => {
    const answer = Promise.withResolvers<void>();
    writes.push({ shards, ms, answer });
    return answer.promise;
  };
  const log = { info: () => {}, warn: vi.fn<() => void>() };
  const fakes = [createFakeShard(0), createFakeShard(1)] as const;
  const made = createHolds({
    boot: 'boot',
    holds: { hold, isHeld: () => Promise.resolve(false) },
    times: { holdMs: 15_000 } as HoldsOptions['times'],
    log: log as unknown as HoldsOptions['log'],
  });
  const renewalFailed = () => made.extend(fakes.map(({ shard }) => shard));
  return { fakes, writes, log, renewalFailed, end: () => made.end(fakes[0].shard) };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

it('the authority over a silent shard is extended from when its hold was sent, and over no other', async () => {
  const { fakes, writes, renewalFailed } = setUp();
  fakes[1].state.isAnswering = false;
  await vi.advanceTimersByTimeAsync(5_000);
  const sentAt = performance.now();
  renewalFailed();
  expect(writes).toMatchObject([{ shards: [1], ms: 15_000 }]);
  await vi.advanceTimersByTimeAsync(1_000);
  writes[0]?.answer.resolve();
  await settle();
  expect(fakes[1].holdSince.mock.calls).toMatchObject([[{ monotonicMs: sentAt }]]);
  expect(fakes[0].holdSince).not.toHaveBeenCalled();
});

it('a shard that answered meanwhile needs no hold, and none is written where all answer or the lease has ended', async () => {
  const { fakes, writes, renewalFailed } = setUp();
  renewalFailed();
  fakes[0].state.isAnswering = false;
  fakes[0].state.isUsable = false;
  renewalFailed();
  expect(writes).toEqual([]);
  fakes[0].state.isUsable = true;
  renewalFailed();
  fakes[0].state.isAnswering = true;
  writes[0]?.answer.resolve();
  await settle();
  expect(fakes[0].holdSince).not.toHaveBeenCalled();
});

it('one hold is written at a time, and the next as soon as it is answered, or after 3 s', async () => {
  const { fakes, writes, renewalFailed } = setUp();
  fakes[0].state.isAnswering = false;
  renewalFailed();
  renewalFailed();
  expect(writes).toHaveLength(1);
  writes[0]?.answer.resolve();
  await settle();
  renewalFailed();
  expect(writes).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(2_999);
  renewalFailed();
  expect(writes).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  renewalFailed();
  expect(writes).toHaveLength(3);
  // The late answer of an abandoned hold does not end the wait for the one after it.
  writes[1]?.answer.resolve();
  await settle();
  renewalFailed();
  expect(writes).toHaveLength(3);
});

it('without Postgres nothing is extended, which is said', async () => {
  const { fakes, writes, log, renewalFailed } = setUp();
  fakes[0].state.isAnswering = false;
  renewalFailed();
  writes[0]?.answer.reject(new Error('away'));
  await settle();
  expect(fakes[0].holdSince).not.toHaveBeenCalled();
  expect(log.warn).toHaveBeenCalledTimes(1);
  renewalFailed();
  expect(writes).toHaveLength(2);
});

it('a hold is ended after the one that is on its way, for its shard alone', async () => {
  const { fakes, writes, log, renewalFailed, end } = setUp();
  for (const { state } of fakes) state.isAnswering = false;
  renewalFailed();
  const ended = end();
  await settle();
  expect(writes).toMatchObject([{ shards: [0, 1], ms: 15_000 }]);
  writes[0]?.answer.resolve();
  await settle();
  expect(writes[1]).toMatchObject({ shards: [0], ms: 0 });
  writes[1]?.answer.reject(new Error('Postgres is away'));
  await ended;
  expect(log.warn).toHaveBeenCalledTimes(1);
});
