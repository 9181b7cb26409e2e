import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { keys } from '../keys.ts';
import { createTraffic } from '../traffic.ts';
import { defaultBulkBounds } from '../bulk-bounds.ts';
import type { Message } from '../../message.ts';
import { readMessage } from '../../message.ts';
import { createOutgoingReplies } from './outgoing-replies.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const to = { asker: 'asker', callId: 7 };

/** Redis takes a chunk when the test says so. */
function setUp() {
  const published: { channel: string; callId: number; offset: number; bytes: number }[] = [];
  const answers: ((heard: number | Error) => void)[] = [];
  const announced: { kind: string; bytes?: number }[] = [];
  let announce = (_hasLeft: boolean): void => {};
  const traffic = createTraffic();
  const replies = createOutgoingReplies({
    boot: 'owner',
    bounds: {
      ...defaultBulkBounds,
      chunkBytes: 100,
      unansweredBytes: 250,
      stallMs: 5_000,
      transferMs: 30_000,
    },
    traffic,
    bulk: {
      send: (_command: string, [channel, message]: [string, Buffer]) => {
        const { body: bytes, ...chunk } = readMessage(message) as Extract<Message, { kind: 'chunk' }>;
        published.push({ channel, ...chunk, bytes: bytes.length });
        return new Promise((resolve, reject) => {
          answers.push((heard) => (heard instanceof Error ? reject(heard) : resolve(heard)));
        });
      },
    } as never,
    outbox: {
      send: (_to, answer, onEnd = () => {}) => {
        announced.push(answer);
        announce = onEnd;
      },
      flush: () => {},
      stop: () => {},
    },
  });
  const release = vi.fn<() => void>();
  const send = (bytes: number, address = to) =>
    replies.send(address, { head: { worldMs: 1 }, body: Buffer.alloc(bytes), release });
  const credit = (upTo: number, address = to) => replies.onCredit({ ...address, channel: 3, upTo });
  /** Redis has taken the oldest chunk that waits, and so many subscribers heard it. */
  const take = async (heard: number | Error = 1) => {
    answers.shift()?.(heard);
    await vi.advanceTimersByTimeAsync(0);
  };
  const offsets = () => published.map(({ offset, bytes }) => [offset, bytes]);
  return { replies, send, credit, take, release, published, offsets, announced, announce: (hasLeft: boolean) => announce(hasLeft), traffic }; // prettier-ignore
}

test('a reply is announced with its size, and nothing of it leaves before the asker has room', () => {
  const { send, announced, published } = setUp();
  send(300);
  expect(announced).toEqual([{ kind: 'begin', head: { worldMs: 1 }, owner: 'owner', bytes: 300 }]);
  expect(published).toEqual([]);
});

test('chunks go to the channel of the asker as far as it has room, and the reply ends with its last byte', async () => {
  const { send, credit, take, release, published, offsets, traffic } = setUp();
  send(250);
  credit(150);
  expect(published[0]).toMatchObject({ channel: keys.bulk('asker', 3), callId: 7, offset: 0, bytes: 100 });
  expect(offsets()).toEqual([
    [0, 100],
    [100, 50],
  ]);
  await take();
  await take();
  expect(published).toHaveLength(2);
  credit(9_999);
  expect(offsets().slice(2)).toEqual([[150, 100]]);
  expect(release).not.toHaveBeenCalled();
  await take();
  expect(release.mock.calls).toHaveLength(1);
  const heads = [0, 100, 150].map(
    (offset) => JSON.stringify({ kind: 'chunk', callId: 7, offset }).length + 1,
  );
  const bytes = 250 + heads.reduce((sum, length) => sum + length);
  expect(traffic.published.chunk).toEqual({ messages: 3, bytes });
});

test('room that was known already publishes nothing again', () => {
  const { send, credit, published } = setUp();
  send(250);
  credit(100);
  credit(100);
  credit(50);
  expect(published).toHaveLength(1);
});

test('no more is published than Redis keeps up with, and replies take turns', async () => {
  const other = { asker: 'asker', callId: 8 };
  const { send, credit, take, published } = setUp();
  send(1_000);
  send(1_000, other);
  credit(1_000);
  // 250 bytes are full with the third chunk.
  expect(published).toHaveLength(3);
  credit(1_000, other);
  expect(published).toHaveLength(3);
  await take();
  await take();
  expect(published.slice(3).map(({ callId }) => callId)).toEqual([8, 7]);
});

describe('a reply ends', () => {
  test.each([
    ['nobody hears a chunk', 0],
    ['Redis does not take a chunk', new Error('away')],
  ])('where %s', async (_what, heard) => {
    const { send, credit, take, release, published } = setUp();
    send(250);
    credit(100);
    await take(heard);
    expect(release.mock.calls).toHaveLength(1);
    credit(250);
    expect(published).toHaveLength(1);
  });

  test('where its announcement does not reach the asker, and not where it does', () => {
    const { send, release, announce } = setUp();
    send(250);
    announce(true);
    expect(release).not.toHaveBeenCalled();
    announce(false);
    expect(release).toHaveBeenCalledOnce();
  });

  test('once, where the asker no longer waits', () => {
    const { replies, send, release } = setUp();
    send(250);
    replies.cancel({ ...to, callId: 9 });
    expect(release).not.toHaveBeenCalled();
    replies.cancel(to);
    replies.cancel(to);
    replies.stop();
    vi.advanceTimersByTime(60_000);
    expect(release).toHaveBeenCalledOnce();
  });

  test('where the asker asked and is silent for five seconds since', () => {
    const { send, credit, release } = setUp();
    send(250);
    vi.advanceTimersByTime(10_000);
    credit(0);
    vi.advanceTimersByTime(4_000);
    credit(0);
    vi.advanceTimersByTime(4_999);
    expect(release).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(release).toHaveBeenCalledOnce();
  });

  test('after thirty seconds, whatever the asker says', () => {
    const { send, credit, release } = setUp();
    send(250);
    for (let second = 0; second < 29; second++) {
      vi.advanceTimersByTime(1_000);
      credit(0);
    }
    expect(release).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1_000);
    expect(release).toHaveBeenCalledOnce();
  });

  test('without having left, where an earlier chunk than the last was lost', async () => {
    const { send, credit, take, release } = setUp();
    send(250);
    credit(250);
    await take();
    await take(0);
    await take();
    expect(release.mock.calls).toHaveLength(1);
  });

  test('with the instance', () => {
    const { replies, send, release } = setUp();
    send(250);
    send(250, { ...to, callId: 8 });
    replies.stop();
    expect(release.mock.calls).toHaveLength(2);
  });
});

test('who waits for no reply to be on its way hears when the last has ended', async () => {
  const { replies, send } = setUp();
  await replies.whenEmpty();
  send(250);
  send(250, { ...to, callId: 8 });
  const heard = vi.fn<() => void>();
  void replies.whenEmpty().then(heard);
  replies.cancel(to);
  await vi.advanceTimersByTimeAsync(0);
  expect(heard).not.toHaveBeenCalled();
  replies.cancel({ ...to, callId: 8 });
  await vi.advanceTimersByTimeAsync(0);
  expect(heard).toHaveBeenCalledOnce();
});
