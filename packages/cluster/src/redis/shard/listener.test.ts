import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeConnection } from '../../../test/fakes/fake-connection.ts';
import { settle } from '../../../test/fakes/fake-shard.ts';
import { createListener } from './shard.ts';

const onStanding = vi.fn<() => void>();
const onMessage = vi.fn<(channel: Buffer, message: Buffer) => void>();
const onRefused = vi.fn<(cause: unknown) => void>();
beforeEach(() => vi.clearAllMocks());

function createTestListener() {
  const redis = createFakeConnection();
  let channels = ['commands'];
  const listener = createListener({
    redis: redis.connection,
    channels: () => channels,
    onStanding,
    onMessage,
    onRefused,
  });
  return {
    listener,
    redis,
    setChannels: (next: string[]) => (channels = next),
    /** The connection is ready, and Redis takes the subscription. */
    async stand() {
      redis.events.emit('ready');
      redis.subscriptions.at(-1)?.answer.resolve();
      await settle();
    },
  };
}

describe('a subscription', () => {
  it('stands from the answer of Redis until its connection closes', async () => {
    const { listener, redis } = createTestListener();
    expect(listener.isListening()).toBe(false);
    redis.events.emit('ready');
    await settle();
    expect(listener.isListening()).toBe(false);
    expect(onStanding).not.toHaveBeenCalled();
    redis.subscriptions[0]?.answer.resolve();
    await listener.listening;
    expect(listener.isListening()).toBe(true);
    expect(onStanding).toHaveBeenCalledTimes(1);
    redis.events.emit('close');
    expect(listener.isListening()).toBe(false);
  });

  it('is made anew with the channels of that time, and those who were promised it are told of the gap', async () => {
    const { listener, redis, setChannels, stand } = createTestListener();
    const told = vi.fn<() => void>();
    const left = vi.fn<() => void>();
    listener.onGap(told);
    const leave = listener.onGap(left);
    await stand();
    expect(told).not.toHaveBeenCalled();
    leave();
    redis.events.emit('close');
    setChannels(['commands', 'replies']);
    await stand();
    expect(redis.subscriptions.map(({ channels }) => channels)).toEqual([
      ['commands'],
      ['commands', 'replies'],
    ]);
    expect(listener.isListening()).toBe(true);
    expect(told).toHaveBeenCalledTimes(1);
    expect(left).not.toHaveBeenCalled();
  });

  it('that Redis refuses is told, and asked for again on a new connection', async () => {
    const { listener, redis } = createTestListener();
    const cause = new Error('NOPERM');
    redis.events.emit('ready');
    redis.subscriptions[0]?.answer.reject(cause);
    await settle();
    expect(onRefused).toHaveBeenCalledWith(cause);
    expect(redis.disconnect).toHaveBeenCalledWith(true);
    expect(listener.isListening()).toBe(false);
  });

  it('passes on what arrives', () => {
    const { redis } = createTestListener();
    redis.events.emit('messageBuffer', Buffer.from('channel'), Buffer.from('message'));
    expect(onMessage).toHaveBeenCalledWith(Buffer.from('channel'), Buffer.from('message'));
  });
});

describe('heartbeats', () => {
  /** An answered renewal, whose heartbeat does not arrive unless told. */
  const renew = ({ listener }: Pick<ReturnType<typeof createTestListener>, 'listener'>, isHeard = false) => {
    const count = listener.nextHeartbeat();
    if (isHeard) listener.heard(count);
    listener.check();
  };

  it('that all arrive leave the subscription as it is', async () => {
    const test = createTestListener();
    await test.stand();
    for (let round = 0; round < 10; round++) renew(test, true);
    expect(test.listener.isListening()).toBe(true);
    expect(test.redis.disconnect).not.toHaveBeenCalled();
  });

  it('may be in flight, and one may be missed', async () => {
    const test = createTestListener();
    await test.stand();
    renew(test);
    renew(test);
    expect(test.listener.isListening()).toBe(true);
    renew(test, true);
    renew(test);
    renew(test);
    expect(test.listener.isListening()).toBe(true);
    expect(test.redis.disconnect).not.toHaveBeenCalled();
  });

  it('of which a second is missed make it dial again, once', async () => {
    const test = createTestListener();
    await test.stand();
    for (let round = 0; round < 3; round++) renew(test);
    expect(test.listener.isListening()).toBe(false);
    expect(test.redis.disconnect.mock.calls).toEqual([[true]]);
    for (let round = 0; round < 3; round++) renew(test);
    expect(test.redis.disconnect).toHaveBeenCalledTimes(1);
    // Those of the lost subscription do not count against the new one.
    await test.stand();
    renew(test);
    renew(test);
    expect(test.listener.isListening()).toBe(true);
  });
});
