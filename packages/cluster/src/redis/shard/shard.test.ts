import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFakeConnection } from '../../../test/fakes/fake-connection.ts';
import type { FakeConnection } from '../../../test/fakes/fake-connection.ts';
import type { OtherReading } from '../../cluster.ts';
import { defaultBulkBounds } from '../bulk-bounds.ts';
import { keys } from '../keys.ts';
import { ClusterUnavailable } from '../../failures.ts';
import { defineScript } from '../connection.ts';
import { defaultTimes } from '../times.ts';
import { writeMessage } from '../../message.ts';
import { createShard } from './shard.ts';
import type { ShardEvents } from './shard.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const heard: string[] = [];
let others: OtherReading[] = [];
beforeEach(() => {
  heard.length = 0;
  others = [];
});
const hear = (what: string) => (message?: unknown) => void heard.push(`${what} ${String(message)}`);
const events: ShardEvents = {
  onCommandMessage: ({ kind }) => hear('command')(kind),
  onReply: hear('reply'),
  onChunk: hear('chunk'),
  onBulkLost: hear('bulk lost'),
  onBroadcast: hear('broadcast'),
  onRenewed: hear('renewed'),
  onSilence: hear('silence'),
  onForeign: hear('foreign'),
  onReturn: hear('return'),
};

function createTestShard() {
  const made = new Map<string, FakeConnection>();
  const shard = createShard({
    url: 'redis://user:secret@10.0.0.5:6380/1',
    boot: 'boot',
    instanceId: 'relay-1',
    fingerprint: 'list',
    index: 0,
    count: 1,
    bounds: defaultBulkBounds,
    times: defaultTimes,
    readings: { tell: (_of, decide) => Promise.resolve(void decide(others)) },
    log: { info: () => {}, warn: () => {}, error: () => {} },
    connect: (_url, name) => {
      const fake = createFakeConnection();
      made.set(name, fake);
      return fake.connection;
    },
  });
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
  const { shard, subscriber } = createTestShard();
  void shard.start(events);
  const arrive = (channel: string, message: string | Buffer) =>
    subscriber.events.emit('messageBuffer', Buffer.from(channel), Buffer.from(message));
  arrive(keys.commands('boot'), writeMessage('cancel', { asker: 'asker', callId: 1 }));
  arrive(keys.commands('boot'), 'no message');
  arrive(keys.commands('boot'), writeMessage('heartbeat', { count: 1 }));
  arrive(keys.broadcast, 'news');
  arrive(keys.reply('boot', 1), 'an answer');
  expect(heard).toEqual(['command cancel', 'broadcast news', 'reply an answer']);
});

test('the lease is renewed at its interval, until the instance leaves', async () => {
  const { shard, made, commands } = createTestShard();
  void shard.start(events);
  await vi.advanceTimersByTimeAsync(defaultTimes.renewMs);
  expect(commands.sent).toHaveLength(1);
  commands.sent[0]?.answer.resolve([0, '1000', 'its id']);
  await vi.advanceTimersByTimeAsync(0);
  // Nobody is on another Redis, so the lease is taken at once.
  expect(commands.sent).toHaveLength(2);
  commands.sent[1]?.answer.resolve([1, '1000', 'its id']);
  await vi.advanceTimersByTimeAsync(defaultTimes.renewMs);
  expect(commands.sent).toHaveLength(3);
  expect(heard).toEqual(['silence undefined', 'renewed true']);
  const stopped = shard.stop();
  commands.sent.at(-1)?.answer.resolve(1);
  await stopped;
  expect(vi.getTimerCount()).toBe(0);
  expect(shard.isAnswering()).toBe(false);
  for (const { disconnect } of made.values()) expect(disconnect.mock.calls).toEqual([[]]);
});

test('nothing is sent over a connection before it is known to lead to the Redis of all', async () => {
  const { shard, commands } = createTestShard();
  void shard.start(events);
  const isRefused = () =>
    Promise.all([shard.send('get', ['key']), shard.run(defineScript('return 1'), [], [])]).then(
      () => false,
      (error: unknown) => error instanceof ClusterUnavailable,
    );
  const refused = isRefused();
  await vi.advanceTimersByTimeAsync(defaultTimes.renewMs);
  expect(await refused).toBe(true);
  commands.sent[0]?.answer.resolve([0, '1000', 'its id']);
  await vi.advanceTimersByTimeAsync(0);
  commands.sent[1]?.answer.resolve([1, '1000', 'its id']);
  await vi.advanceTimersByTimeAsync(0);
  void shard.send('get', ['key']);
  expect(commands.sent).toHaveLength(3);
  commands.events.emit('close');
  expect(await isRefused()).toBe(true);
});

test('an instance that comes to another Redis has no authority, and says so when it is back', async () => {
  const { shard, commands } = createTestShard();
  void shard.start(events);
  let answered = 0;
  const answerNext = async (granted: 0 | 1, id: string) => {
    if (commands.sent.length === answered) await vi.advanceTimersByTimeAsync(defaultTimes.renewMs);
    commands.sent[answered]?.answer.resolve([granted, '1000', id]);
    answered += 1;
    await vi.advanceTimersByTimeAsync(0);
  };
  await answerNext(0, 'its id');
  await answerNext(1, 'its id');
  expect(shard.lease.isUsable()).toBe(true);
  await answerNext(0, 'another id');
  expect([shard.lease.isUsable(), shard.identity.isForeign()]).toEqual([false, true]);
  expect(shard.trouble()).toBe('another Redis than the one of its start');
  // The second failure in a row dials again, and what the new connection leads to is compared.
  await answerNext(0, 'its id');
  expect(commands.disconnect.mock.calls).toEqual([[true]]);
  await answerNext(0, 'its id');
  await answerNext(1, 'its id');
  expect([shard.lease.isUsable(), shard.identity.isForeign()]).toEqual([true, false]);
  expect(heard.filter((what) => /foreign|return/.test(what))).toEqual([
    'foreign undefined',
    'return undefined',
  ]);
});

test('the last trouble of either connection is told, and that of a renewal only while it stands', async () => {
  const { shard, commands, subscriber } = createTestShard();
  expect(shard.trouble()).toBeUndefined();
  subscriber.events.emit('error', new Error('no route'));
  expect(shard.trouble()).toBe('no route');
  commands.events.emit('error', new Error('refused'));
  void shard.start(events);
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
