import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFakeConnection } from '../../../test/fakes/fake-connection.ts';
import type { FakeConnection } from '../../../test/fakes/fake-connection.ts';
import { defaultBulkBounds } from '../bulk/bulk-bounds.ts';
import { keys } from '../keys.ts';
import { defaultTimes } from '../times.ts';
import { heartbeatFrame } from '../wire/frames.ts';
import { createShard } from './shard.ts';
import type { ShardEvents } from './shard.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const heard: string[] = [];
beforeEach(() => (heard.length = 0));
const hear = (what: string) => (message?: unknown) => void heard.push(`${what} ${String(message)}`);
const events: ShardEvents = {
  onCommandMessage: hear('command'),
  onReply: hear('reply'),
  onChunk: hear('chunk'),
  onBulkLost: hear('bulk lost'),
  onBroadcast: hear('broadcast'),
  onRenewed: hear('renewed'),
  onSilence: hear('silence'),
};

function createTestShard() {
  const made = new Map<string, FakeConnection>();
  const shard = createShard(
    {
      url: 'redis://user:secret@10.0.0.5:6380/1',
      boot: 'boot',
      instanceId: 'relay-1',
      fingerprint: 'list',
      index: 0,
      count: 1,
      bounds: defaultBulkBounds,
      times: defaultTimes,
      log: { info: () => {}, warn: () => {}, error: () => {} },
      connect: (_url, name) => {
        const fake = createFakeConnection();
        made.set(name, fake);
        return fake.connection;
      },
    },
    events,
  );
  const of = (name: string) => made.get(name) as FakeConnection;
  return { shard, made, commands: of('relay-commands'), subscriber: of('relay-subscriber') };
}

test('a server is named without its credentials, and its connections by what they are for', () => {
  const { shard, made } = createTestShard();
  expect(shard.name).toBe('10.0.0.5:6380');
  expect([...made.keys()]).toEqual([
    'relay-commands',
    'relay-subscriber',
    'relay-bulk',
    'relay-bulk-subscriber',
  ]);
});

test('what arrives goes by its channel, and a heartbeat to the listener alone', () => {
  const { subscriber } = createTestShard();
  const arrive = (channel: string, message: string | Buffer) =>
    subscriber.events.emit('messageBuffer', Buffer.from(channel), Buffer.from(message));
  arrive(keys.commands('boot'), 'a command');
  arrive(keys.commands('boot'), heartbeatFrame(1));
  arrive(keys.broadcast, 'news');
  arrive(keys.reply('boot', 1), 'an answer');
  expect(heard).toEqual(['command a command', 'broadcast news', 'reply an answer']);
});

test('the lease is renewed at its interval, until the instance leaves', async () => {
  const { shard, made, commands } = createTestShard();
  void shard.start();
  await vi.advanceTimersByTimeAsync(defaultTimes.renewMs);
  expect(commands.sent).toHaveLength(1);
  commands.sent[0]?.answer.resolve([1, '1000']);
  await vi.advanceTimersByTimeAsync(defaultTimes.renewMs);
  expect(commands.sent).toHaveLength(2);
  expect(heard).toEqual(['renewed true']);
  const stopped = shard.stop();
  commands.sent.at(-1)?.answer.resolve(1);
  await stopped;
  expect(vi.getTimerCount()).toBe(0);
  expect(shard.isAnswering()).toBe(false);
  for (const { disconnect } of made.values()) expect(disconnect.mock.calls).toEqual([[]]);
});

test('the last trouble of either connection is told, and that of a renewal only while it stands', async () => {
  const { shard, commands, subscriber } = createTestShard();
  expect(shard.trouble()).toBeUndefined();
  subscriber.events.emit('error', new Error('no route'));
  expect(shard.trouble()).toBe('no route');
  commands.events.emit('error', new Error('refused'));
  void shard.start();
  commands.state.status = 'connecting';
  await vi.advanceTimersByTimeAsync(defaultTimes.renewMs);
  expect([shard.trouble(), heard.length]).toEqual(['refused', 1]);
  commands.state.status = 'ready';
  await vi.advanceTimersByTimeAsync(defaultTimes.renewMs);
  commands.sent[0]?.answer.reject(new Error('NOAUTH'));
  await vi.advanceTimersByTimeAsync(0);
  expect(shard.trouble()).toBe('NOAUTH');
});

test('more reply channels are subscribed to before the last is lent, and dialled for where Redis refuses them', async () => {
  const { shard, subscriber } = createTestShard();
  subscriber.events.emit('ready');
  subscriber.subscriptions[0]?.answer.resolve();
  await shard.listener.listening;
  const before = subscriber.subscriptions[0]?.channels.length ?? 0;
  for (let call = 0; call < 200; call++) shard.replySlots.lend(() => true);
  expect(subscriber.subscriptions).toHaveLength(2);
  expect(subscriber.subscriptions[1]?.channels.length).toBe(before - 2);
  subscriber.subscriptions[1]?.answer.reject(new Error('NOPERM'));
  await vi.advanceTimersByTimeAsync(0);
  expect(subscriber.disconnect.mock.calls).toEqual([[true]]);
});
