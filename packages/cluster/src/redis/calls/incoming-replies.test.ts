import { Budget } from '@tabletop-relay/kit';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Reply } from '../../cluster.ts';
import { keys } from '../keys.ts';
import type { RedisShard } from '../shard/shard.ts';
import type { Message } from '../../message.ts';
import { readMessage } from '../../message.ts';
import { defaultBulkBounds } from '../bulk-bounds.ts';
import { createIncomingReplies } from './incoming-replies.ts';
import type { ReceivingCall } from './incoming-replies.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const asker = 'a'.repeat(20);
const owner = 'o'.repeat(20);

/** Four channels, a window of 200 bytes, and room for 1,000 bytes, 500 of them for one account. */
function setUp() {
  const bounds = {
    ...defaultBulkBounds,
    incomingBytesPerAccount: 500,
    channels: 4,
    windowBytes: 200,
    stallMs: 5_000,
    transferMs: 30_000,
  };
  const sent: (Message & { to: string })[] = [];
  const listening = { now: true };
  const distrust = vi.fn<() => void>();
  const shard = {
    send: (_command: string, [to, frame]: [string, Buffer]) => {
      sent.push({ to, ...readMessage(frame)! });
      return Promise.resolve(1);
    },
    bulk: { isListening: () => listening.now, distrust },
    replySlots: { giveBack: () => {} },
  } as unknown as RedisShard;
  const room = new Budget(1_000);
  const ends: Record<number, string> = {};
  const replied: Reply[] = [];
  const cancelled: number[] = [];
  const settled = new Set<ReceivingCall>();
  const settle = (call: ReceivingCall): boolean => {
    if (settled.has(call)) return false;
    settled.add(call);
    call.dropReply?.();
    call.dropReply = undefined;
    return true;
  };
  const calls = {
    succeed: (call: ReceivingCall, reply: Reply) => {
      if (!settle(call)) return;
      ends[call.id] = `${reply.body.length} bytes of ${String(reply.body[0])}`;
      replied.push(reply);
    },
    lose: (call: ReceivingCall, _why: string) => {
      if (!settle(call)) return;
      ends[call.id] = 'lost';
      cancelled.push(call.id);
    },
  };
  const replies = createIncomingReplies({ boot: asker, shard, calls, room, bounds });
  const release = (index: number) => replied[index]?.release?.();
  const ask = (id: number, bytes: number, accountId = 'account'): ReceivingCall => {
    const call: ReceivingCall = {
      id, accountId, deadline: 1_000, failAt: Infinity, owner: '', hasBegun: false, dropReply: undefined,
    }; // prettier-ignore
    replies.begin(call, { head: { worldMs: 1 }, owner, bytes });
    return call;
  };
  const chunk = (callId: number, offset: number, bytes: number) =>
    replies.onChunk({ kind: 'chunk', callId, offset, body: Buffer.alloc(bytes, callId) });
  /** The calls whose owners were asked for their replies, with the channel and how far they may send. */
  const asked = () =>
    sent.flatMap((frame) => (frame.kind === 'credit' ? [[frame.callId, frame.channel, frame.upTo]] : []));
  return {
    replies,
    room,
    ask,
    chunk,
    asked,
    cancelled,
    sent,
    ends,
    release,
    listening,
    distrust,
    calls,
  };
}

test('a reply that is announced is asked for window by window, and ends its call when it is whole', () => {
  const { ask, chunk, asked, sent, ends, room, release } = setUp();
  const call = ask(1, 500);
  expect(sent[0]).toMatchObject({ to: keys.commands(owner), asker });
  expect(call).toMatchObject({ owner, hasBegun: true, deadline: performance.now() + 30_000 });
  chunk(1, 0, 99);
  expect(asked()).toEqual([[1, 0, 200]]);
  chunk(1, 99, 1);
  expect(asked()).toEqual([
    [1, 0, 200],
    [1, 0, 300],
  ]);
  chunk(1, 100, 399);
  expect(ends).toEqual({});
  chunk(1, 499, 1);
  expect(ends).toEqual({ 1: '500 bytes of 1' });
  // The caller has not read it yet.
  expect(room.total).toBe(500);
  release(0);
  expect(room.total).toBe(0);
});

test('the same announcement twice begins once', () => {
  const { replies, ask, asked } = setUp();
  const call = ask(1, 300);
  replies.begin(call, { head: { worldMs: 1 }, owner, bytes: 300 });
  expect(asked()).toHaveLength(1);
});

test('an account has half of the channels, and the next reply comes when one of them is free', () => {
  const { ask, chunk, asked } = setUp();
  for (const id of [1, 2, 3]) ask(id, 100);
  ask(4, 100, 'other');
  expect(asked()).toEqual([
    [1, 0, 100],
    [2, 1, 100],
    [4, 2, 100],
  ]);
  chunk(1, 0, 100);
  expect(asked().at(-1)).toEqual([3, 0, 100]);
});

test('a reply waits until its account has room, and until the instance has', () => {
  const { ask, asked, chunk, release } = setUp();
  ask(1, 400);
  ask(2, 200);
  ask(3, 400, 'other');
  ask(4, 300, 'third');
  expect(asked().map(([id]) => id)).toEqual([1, 3]);
  chunk(1, 0, 400);
  expect(asked().map(([id]) => id)).toEqual([1, 3]);
  release(0);
  expect(asked().map(([id]) => id)).toEqual([1, 3, 2, 4]);
});

test('nothing is asked for while no chunk could be heard', () => {
  const { replies, ask, asked, listening } = setUp();
  listening.now = false;
  ask(1, 100);
  expect(asked()).toEqual([]);
  listening.now = true;
  replies.sweep(performance.now());
  expect(asked()).toEqual([[1, 0, 100]]);
});

test('a call that is given up while its reply waits for a channel leaves the line', () => {
  const { ask, chunk, asked, calls, room } = setUp();
  ask(1, 100);
  ask(2, 100);
  calls.lose(ask(3, 100), 'the caller hung up');
  chunk(1, 0, 100);
  chunk(2, 0, 100);
  expect(asked().map(([id]) => id)).toEqual([1, 2]);
  expect(room.total).toBe(200);
});

test('a call that is given up while its reply comes gives back its channel and its room', () => {
  const { ask, asked, cancelled, calls, room } = setUp();
  const call = ask(1, 400);
  ask(2, 200);
  calls.lose(call, 'the caller hung up');
  expect(cancelled).toEqual([1]);
  expect(asked().at(-1)).toEqual([2, 0, 200]);
  expect(room.total).toBe(200);
});

test('a chunk for a call that waits no more is dropped', () => {
  const { ask, chunk, ends } = setUp();
  ask(1, 100);
  chunk(9, 0, 100);
  expect(ends).toEqual({});
  chunk(1, 0, 100);
  expect(ends).toEqual({ 1: '100 bytes of 1' });
});

describe('a reply is lost, and its owner told,', () => {
  test('where a part of it is missing', () => {
    const { ask, chunk, ends, cancelled, room } = setUp();
    ask(1, 300);
    chunk(1, 100, 100);
    expect([ends, cancelled, room.total]).toEqual([{ 1: 'lost' }, [1], 0]);
  });

  test('where the subscription is lost', () => {
    const { replies, ask, ends, cancelled, listening } = setUp();
    ask(1, 300);
    ask(2, 300, 'other');
    listening.now = false;
    replies.onLost();
    expect([ends, cancelled]).toEqual([{ 1: 'lost', 2: 'lost' }, [1, 2]]);
  });

  test('where nothing more comes, though it was asked for again, and the subscription is no longer trusted', () => {
    const { replies, ask, asked, ends, distrust } = setUp();
    ask(1, 300);
    for (let ms = 0; ms < 5_000; ms += 500) {
      replies.sweep(performance.now());
      vi.advanceTimersByTime(500);
    }
    expect(asked()).toHaveLength(5);
    expect(ends).toEqual({});
    expect(distrust).not.toHaveBeenCalled();
    replies.sweep(performance.now());
    expect(ends).toEqual({ 1: 'lost' });
    expect(distrust).toHaveBeenCalledOnce();
  });

  test('where nothing more comes, and one that waits in line is not, for it is asked for once chunks are heard', () => {
    const { replies, ask, chunk, asked, ends, distrust, listening } = setUp();
    distrust.mockImplementation(() => (listening.now = false));
    for (const [index, account] of ['a', 'a', 'b', 'b', 'a'].entries()) ask(index + 1, 100, account);
    vi.advanceTimersByTime(5_000);
    replies.sweep(performance.now());
    expect(ends).toEqual({ 1: 'lost', 2: 'lost', 3: 'lost', 4: 'lost' });
    expect(asked().map(([id]) => id)).toEqual([1, 2, 3, 4]);
    listening.now = true;
    replies.sweep(performance.now());
    chunk(5, 0, 100);
    expect(ends).toMatchObject({ 5: '100 bytes of 5' });
  });

  test('where nothing more comes of it, and the others that come go on', () => {
    const { replies, ask, chunk, ends, distrust } = setUp();
    ask(1, 300);
    ask(2, 300, 'other');
    vi.advanceTimersByTime(4_999);
    chunk(2, 0, 100);
    vi.advanceTimersByTime(1);
    replies.sweep(performance.now());
    expect(ends).toEqual({ 1: 'lost' });
    expect(distrust).not.toHaveBeenCalled();
    chunk(2, 100, 200);
    expect(ends).toEqual({ 1: 'lost', 2: '300 bytes of 2' });
  });
});

test('a reply for which no channel is free waits for one, whoever asked', () => {
  const { ask, chunk, asked } = setUp();
  for (const [index, account] of ['a', 'a', 'b', 'b', 'c'].entries()) ask(index + 1, 100, account);
  expect(asked().map(([id, channel]) => [id, channel])).toEqual([
    [1, 0],
    [2, 1],
    [3, 2],
    [4, 3],
  ]);
  chunk(2, 0, 100);
  expect(asked().at(-1)?.slice(0, 2)).toEqual([5, 1]);
});
