import { expect, it, vi } from 'vitest';
import { createFakeShard, settle } from '../../../test/fakes/fake-shard.ts';
import { createWatch } from './owner-watch.ts';
import type { WaitingCall } from './asker.ts';

const [noLease, deaf, listening] = [0, 1, 2];
const callOf = (owner: string) => ({ owner }) as unknown as WaitingCall;

function setUp() {
  const fake = createFakeShard();
  const onGone = vi.fn<(call: WaitingCall) => void>();
  const watch = createWatch(fake.shard, onGone);
  const answer = async (value: unknown) => {
    fake.runs.shift()?.answer.resolve(value);
    await settle();
  };
  return { runs: fake.runs, onGone, watch, answer, gone: () => onGone.mock.calls.map(([call]) => call) };
}

it('owners that the looks doubt are checked, and calls of those without a lease are told', async () => {
  const { runs, watch, answer, gone } = setUp();
  const calls = [callOf('a'), callOf('a'), callOf('b'), callOf('c'), callOf('')];
  void watch(calls);
  await answer('a b x');
  expect(runs[0]?.args).toEqual(['a', 'b']);
  await answer([noLease, listening]);
  expect(gone()).toEqual(calls.slice(0, 2));
});

it('an owner that two looks found deaf and that is deaf still is gone', async () => {
  const { watch, answer, gone } = setUp();
  const call = callOf('a');
  void watch([call]);
  await answer('a');
  await answer([deaf]);
  expect(gone()).toEqual([call]);
});

it('a call that has another owner by then goes on', async () => {
  const { watch, answer, gone } = setUp();
  const call = callOf('a');
  void watch([call]);
  await answer('a');
  call.owner = 'b';
  await answer([noLease]);
  expect(gone()).toEqual([]);
});

it('nothing is asked where no owner is known, and once at a time else', async () => {
  const { runs, watch, answer } = setUp();
  await watch([callOf('')]);
  expect(runs).toHaveLength(0);
  void watch([callOf('a')]);
  await watch([callOf('a')]);
  expect(runs).toHaveLength(1);
  await answer(null);
  expect(runs).toHaveLength(0);
  void watch([callOf('a')]);
  expect(runs).toHaveLength(1);
});

it('a Redis that does not answer tells nothing, and is asked again', async () => {
  const { runs, watch, gone } = setUp();
  void watch([callOf('a')]);
  runs.shift()?.answer.reject(new Error('away'));
  await settle();
  expect(gone()).toEqual([]);
  void watch([callOf('a')]);
  expect(runs).toHaveLength(1);
});

it('each 128th time all owners are checked, because a Redis without its data doubts nobody', async () => {
  const { runs, watch, answer, gone } = setUp();
  const [lost, deafOnly] = [callOf('lost'), callOf('deaf')];
  for (let times = 1; times < 128; times++) {
    void watch([lost, deafOnly]);
    await answer(null);
    expect(runs, `time ${times}`).toHaveLength(0);
  }
  void watch([lost, deafOnly]);
  await answer(null);
  expect(runs[0]?.args).toEqual(['lost', 'deaf']);
  // Deaf at one look is not gone: it may be about to subscribe again.
  await answer([noLease, deaf]);
  expect(gone()).toEqual([lost]);
});
