import { expect, test } from 'vitest';
import type { ReplySource } from './settle-reply.ts';
import { createReplyBytes, smallReplyBytes } from './settle-reply.ts';
import { readReplyByteLimits } from '../socket-settings.ts';

const megabyte = 1 << 20;

function setUp() {
  let gauge = 0;
  const counted = { set: (bytes: number) => void (gauge = bytes) };
  const limits = { ofClient: 4 * megabyte, ofAccount: 6 * megabyte, ofInstance: 10 * megabyte };
  const replies = createReplyBytes(limits, counted);
  const world = (accountId: string) => {
    const reasons = new Set<string>();
    const source = {
      get isStopped() {
        return reasons.size > 0;
      },
      timesFreed: 0,
      identity: { accountId },
      inflow: {
        stop: (why: 'replies') => void reasons.add(why),
        resume: (why: 'replies') => {
          reasons.delete(why);
          source.timesFreed++;
        },
      },
    };
    const count = (bytes: number) => replies.count(source satisfies ReplySource, bytes);
    return { source, count };
  };
  return { world, gauge: () => gauge };
}

test('a module is not read while its replies wait, and is read again when they have left', () => {
  const { world, gauge } = setUp();
  const { source, count } = world('one');
  const first = count(3 * megabyte);
  expect(source.isStopped).toBe(false);
  const second = count(megabyte);
  expect([source.isStopped, gauge()]).toEqual([true, 4 * megabyte]);
  first?.();
  first?.();
  expect([source.isStopped, gauge()]).toEqual([false, megabyte]);
  second?.();
  expect(gauge()).toBe(0);
});

test('the worlds of an account share its limit, and all worlds share that of the instance', () => {
  const { world } = setUp();
  const [first, sibling, stranger, other] = [world('one'), world('one'), world('two'), world('three')];
  const letGo = first.count(3 * megabyte);
  sibling.count(3 * megabyte);
  expect([first.source.isStopped, sibling.source.isStopped]).toEqual([false, true]);
  stranger.count(3 * megabyte);
  expect(stranger.source.isStopped).toBe(false);
  other.count(megabyte);
  expect(other.source.isStopped).toBe(true);
  letGo?.();
  expect([sibling.source.isStopped, other.source.isStopped]).toEqual([false, false]);
});

test('a small reply is not counted', () => {
  const { world, gauge } = setUp();
  expect(world('one').count(smallReplyBytes)).toBeUndefined();
  expect(gauge()).toBe(0);
});

test('who is read again is only who is below its own limits, and once', () => {
  const { world } = setUp();
  const [first, second] = [world('one'), world('two')];
  const letFirstGo = first.count(4 * megabyte);
  const letSecondGo = second.count(4 * megabyte);
  letFirstGo?.();
  expect([first.source.isStopped, second.source.isStopped]).toEqual([false, true]);
  first.count(megabyte)?.();
  letSecondGo?.();
  expect([first.source.timesFreed, second.source.timesFreed]).toEqual([1, 1]);
});

test('what has left leaves the whole limit to what comes next', () => {
  const { world } = setUp();
  const { source, count } = world('one');
  count(4 * megabyte)?.();
  expect(source.isStopped).toBe(false);
  count(3 * megabyte);
  expect(source.isStopped).toBe(false);
});

test('each bound has its own setting', () => {
  const settings = { replyBytesPerClient: 1, replyBytesPerAccount: 2, replyBytes: 3 };
  const limits = readReplyByteLimits(settings);
  expect(limits).toEqual({ ofClient: 1, ofAccount: 2, ofInstance: 3 });
});
