import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeConnection } from '../../../test/fakes/fake-connection.ts';
import { ClusterUnavailable } from '../../failures.ts';
import { writeMessage } from '../../message.ts';
import { packEntry } from '../../streams/stream-store.ts';
import { createNewsListener } from './news-listener.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  const redis = createFakeConnection();
  const unsubscribe = vi.fn<(channel: string) => Promise<unknown>>(() => Promise.resolve());
  const onGap = vi.fn<() => void>();
  const news = createNewsListener(Object.assign(redis.connection, { unsubscribe }), onGap);
  const accept = () => redis.subscriptions.at(-1)?.answer.resolve();
  async function watch(channel: string, hear: (gen: string, entries: unknown[]) => void = () => {}) {
    const watching = news.watch(channel, hear);
    accept();
    return await watching;
  }
  const settle = () => vi.advanceTimersByTimeAsync(0);
  return { redis, unsubscribe, onGap, news, accept, watch, settle };
}

/** What a script publishes of a stream: its history and one event. */
function messageOf(body: string): Buffer {
  const packed = packEntry('conn', { kind: 'event', seq: 3, body: Buffer.from(body) });
  return writeMessage(
    'news',
    { gen: 'g'.repeat(16), entries: [{ n: 7, at: 1_000, bytes: packed.length }] },
    packed,
  );
}

describe('a subscription to a stream', () => {
  it('brings what is published of it to all who watch it, until they leave', async () => {
    const { redis, unsubscribe, watch } = setUp();
    const first = vi.fn<(gen: string, entries: unknown[]) => void>();
    const second = vi.fn<(gen: string, entries: unknown[]) => void>();
    const leave = await watch('stream', first);
    const leaveToo = await watch('stream', second);
    redis.events.emit('messageBuffer', Buffer.from('stream'), messageOf('a roll'));
    redis.events.emit('messageBuffer', Buffer.from('another'), messageOf('a roll'));
    const entry = { n: 7, at: 1_000, kind: 'event', src: 'conn', seq: 3, body: Buffer.from('a roll') };
    expect(first.mock.calls).toEqual([['g'.repeat(16), [entry]]]);
    expect(second).toHaveBeenCalledTimes(1);
    leave();
    leave();
    expect(unsubscribe).not.toHaveBeenCalled();
    redis.events.emit('messageBuffer', Buffer.from('stream'), messageOf('a roll'));
    expect(first).toHaveBeenCalledTimes(1);
    expect(second).toHaveBeenCalledTimes(2);
    leaveToo();
    expect(unsubscribe.mock.calls).toEqual([['stream']]);
  });

  it('is refused while the connection does not stand, and forgotten', async () => {
    const { redis, news, onGap, unsubscribe, settle } = setUp();
    redis.state.status = 'connecting';
    await expect(news.watch('stream', () => {})).rejects.toBeInstanceOf(ClusterUnavailable);
    expect(unsubscribe).not.toHaveBeenCalled();
    redis.state.status = 'ready';
    redis.events.emit('ready');
    await settle();
    expect(redis.subscriptions).toEqual([]);
    expect(onGap).not.toHaveBeenCalled();
  });

  it('is refused where Redis refuses it', async () => {
    const { redis, news } = setUp();
    const watching = news.watch('stream', () => {});
    redis.subscriptions[0]?.answer.reject(new Error('NOPERM'));
    await expect(watching).rejects.toBeInstanceOf(ClusterUnavailable);
  });
});

describe('a connection that is back', () => {
  it('is subscribed to all streams again, 500 at a time, and then what was missed is looked for', async () => {
    const { redis, watch, onGap, accept, settle } = setUp();
    for (let index = 0; index < 501; index++) await watch(`stream-${index}`);
    redis.subscriptions.length = 0;
    redis.events.emit('ready');
    expect(redis.subscriptions.map(({ channels }) => channels.length)).toEqual([500]);
    accept();
    await settle();
    expect(redis.subscriptions.map(({ channels }) => channels)[1]).toEqual(['stream-500']);
    expect(onGap).not.toHaveBeenCalled();
    accept();
    await settle();
    expect(onGap).toHaveBeenCalledTimes(1);
  });

  it('is dialled again where Redis does not take the subscriptions', async () => {
    const { redis, watch, onGap, settle } = setUp();
    await watch('stream');
    redis.events.emit('ready');
    redis.subscriptions.at(-1)?.answer.reject(new Error('NOPERM'));
    await settle();
    expect(redis.disconnect.mock.calls).toEqual([[true]]);
    expect(onGap).not.toHaveBeenCalled();
  });
});

describe('a connection that is dead', () => {
  it('is found by a ping at each interval, while it stands, until the end', async () => {
    const { redis, news, settle } = setUp();
    const onDead = vi.fn<() => void>();
    news.start(1_000, onDead);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(redis.sent.map(({ name }) => name)).toEqual(['ping']);
    redis.sent[0]?.answer.reject(new Error('late'));
    await settle();
    expect(onDead).toHaveBeenCalledTimes(1);
    redis.state.status = 'connecting';
    await vi.advanceTimersByTimeAsync(1_000);
    expect([redis.sent.length, onDead.mock.calls.length]).toEqual([1, 1]);
    news.stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});
