import { expect, test, vi } from 'vitest';
import { BusFailure } from '../../failures.ts';
import { createTraffic } from '../traffic.ts';
import { createWaitingCalls } from './waiting-calls.ts';
import type { WaitingCall } from './waiting-calls.ts';

function setUp() {
  const traffic = createTraffic();
  const calls = createWaitingCalls(traffic);
  const giveBack = vi.fn<(id: number) => void>();
  const dropReply = vi.fn<() => void>();
  const resolve = vi.fn<() => void>();
  const reject = vi.fn<() => void>();
  const call = { shard: { replySlots: { giveBack } }, dropReply, settled: false, resolve, reject };
  calls.add(call as unknown as WaitingCall);
  calls.name(call as unknown as WaitingCall, 7);
  return { traffic, calls, call: call as unknown as WaitingCall, giveBack, dropReply, resolve, reject };
}

const reply = { head: {}, body: Buffer.from('y') };

test('a call is settled once, and gives back its channel and what its reply takes', () => {
  const { traffic, calls, call, giveBack, dropReply, resolve, reject } = setUp();
  expect(calls.get(7)).toBe(call);
  calls.succeed(call, reply);
  calls.succeed(call, reply);
  calls.fail(call, new BusFailure('lost', true, 'late'));
  expect(resolve).toHaveBeenCalledTimes(1);
  expect(reject).not.toHaveBeenCalled();
  expect(traffic.answered).toBe(1);
  expect(giveBack.mock.calls).toEqual([[7]]);
  expect(dropReply).toHaveBeenCalledTimes(1);
  expect([calls.size, calls.get(7)]).toEqual([0, undefined]);
});

test('the time of an answered call is that since it was asked', () => {
  const { traffic, calls, call } = setUp();
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  calls.succeed(Object.assign(call, { askedAt: 960 }), reply);
  clock.mockRestore();
  expect(traffic.answeredMs).toBe(40);
});

test('a call that failed is not counted as answered', () => {
  const { traffic, calls, call, resolve, reject } = setUp();
  const failure = new BusFailure('lost', true, 'gone');
  calls.fail(call, failure);
  calls.succeed(call, reply);
  expect(reject.mock.calls).toEqual([[failure]]);
  expect(resolve).not.toHaveBeenCalled();
  expect(traffic.answered).toBe(0);
});

test('a call counts from before it has a channel until it is settled, and is found only under its own id', () => {
  const { calls, call, giveBack } = setUp();
  const other = { id: 0, shard: call.shard, settled: false, reject: () => {} } as unknown as WaitingCall;
  calls.add(other);
  expect([calls.size, [...calls]]).toEqual([2, [call, other]]);
  calls.name(other, 2 ** 14 + 8);
  expect([calls.size, [...calls]]).toEqual([2, [call, other]]);
  // The channel of the same number, lent another time.
  expect([calls.get(8), calls.get(2 ** 14 + 8)]).toEqual([undefined, other]);
  calls.fail(other, new BusFailure('lost', true, 'gone'));
  expect([calls.size, [...calls]]).toEqual([1, [call]]);
  expect(giveBack.mock.calls).toEqual([[2 ** 14 + 8]]);
});

test('a call that fails while it waits for a channel gives none back', () => {
  const { calls, call, giveBack } = setUp();
  const other = { id: 0, shard: call.shard, settled: false, reject: () => {} } as unknown as WaitingCall;
  calls.add(other);
  calls.fail(other, new BusFailure('aborted', false, 'gone'));
  expect([calls.size, [...calls], giveBack.mock.calls]).toEqual([1, [call], []]);
});
