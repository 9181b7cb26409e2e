import type { Streams } from '@tabletop-relay/cluster';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CredentialEvent } from '../../src/credentials/changes/credential-feed.ts';
import { tellListeners } from '../../src/sockets/listeners/tell-listeners.ts';
import { createFakeFeed } from '../credentials/fake-feed.ts';
import { createWiredSocket } from './wired-socket.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Tell = Parameters<Streams['onListeners']>[0];

function setUp() {
  const { socket, ws, sent } = createWiredSocket();
  const hears = { listeners: (() => {}) as Tell };
  const { feed, say } = createFakeFeed();
  const answers: { resolve(isKept: boolean): void; reject(error: Error): void }[] = [];
  const ended: string[] = [];
  const stop = tellListeners({
    streams: {
      onListeners: (listener) => {
        hears.listeners = listener;
        return () => ended.push('listeners');
      },
    },
    clients: {
      byConn: (conn) => (conn === 'conn' ? socket : undefined),
      byAccount: (accountId) => (accountId === 'account' ? [socket] : []),
    },
    feed: {
      subscribe: (kind, listener) => {
        feed.subscribe(kind, listener);
        return () => ended.push('feed');
      },
    },
    mayReadRolls: async () => {
      const { promise, ...rest } = Promise.withResolvers<boolean>();
      answers.push(rest);
      return await promise;
    },
    log: pino({ level: 'silent' }),
  });
  const listen = (channel: string, count: number, conn = 'conn') =>
    hears.listeners({ clientId: 'client', conn, channel, count });
  const event = (spoken: Partial<CredentialEvent> = {}) =>
    say({
      accountId: 'account',
      subject: 'key',
      subjectId: 'key',
      change: 'changed',
      ...spoken,
    });
  const settle = () => vi.advanceTimersByTimeAsync(0);
  const counts = () => sent.map(({ count }) => count);
  return { ws, sent, counts, answers, listen, event, settle, stop, ended };
}

test('modules are told how many listen to a channel while their socket is open', () => {
  const { ws, sent, listen, stop, ended } = setUp();
  listen('hooks', 2);
  listen('hooks', 2, 'gone');
  ws.readyState = 2;
  listen('hooks', 1);
  expect(sent).toEqual([{ type: 'event-subscription-update', channel: 'hooks', count: 2 }]);
  stop();
  expect(ended).toEqual(['listeners', 'feed']);
});

test('of its rolls a module is told a listener more where a key may ask for them and nobody listens', async () => {
  const { sent, counts, answers, listen, settle } = setUp();
  listen('rolls', 0);
  expect(sent).toEqual([]);
  answers[0]!.resolve(true);
  await settle();
  expect(sent).toEqual([{ type: 'event-subscription-update', channel: 'roll-events', count: 1 }]);
  listen('rolls', 3);
  listen('rolls', 0);
  answers[1]!.resolve(true);
  await settle();
  expect(counts()).toEqual([1, 3, 1]);
});

test('a change of keys is looked at while nobody listens, and what is as before is not told again', async () => {
  const { counts, answers, listen, event, settle } = setUp();
  event();
  listen('rolls', 2);
  event();
  expect(answers).toEqual([]);
  listen('rolls', 0);
  answers[0]!.resolve(false);
  await settle();
  event();
  event({ accountId: 'another' });
  event({ subject: 'session' });
  answers[1]!.resolve(false);
  await settle();
  event();
  answers[2]!.resolve(true);
  await settle();
  expect(counts()).toEqual([2, 0, 1]);
  expect(answers).toHaveLength(3);
});

test('only the last look counts, and none once somebody listens', async () => {
  const { counts, answers, listen, event, settle } = setUp();
  listen('rolls', 0);
  event();
  answers[1]!.resolve(true);
  answers[0]!.resolve(false);
  await settle();
  expect(counts()).toEqual([1]);
  event();
  listen('rolls', 2);
  answers[2]!.resolve(false);
  await settle();
  expect(counts()).toEqual([1, 2]);
});

test('a look that fails is repeated each second until it is answered, or the world is gone', async () => {
  const { ws, counts, answers, listen, settle, stop } = setUp();
  listen('rolls', 0);
  answers[0]!.reject(new Error('away'));
  await vi.advanceTimersByTimeAsync(1_000);
  answers[1]!.reject(new Error('away'));
  await vi.advanceTimersByTimeAsync(999);
  expect(answers).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  answers[2]!.resolve(true);
  await settle();
  expect(counts()).toEqual([1]);

  listen('rolls', 0);
  answers[3]!.reject(new Error('away'));
  await settle();
  ws.readyState = 3;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(answers).toHaveLength(4);
  stop();
  expect(vi.getTimerCount()).toBe(0);
});

test('a relay that stops looks no more', async () => {
  const { answers, listen, settle, stop } = setUp();
  listen('rolls', 0);
  answers[0]!.reject(new Error('away'));
  await settle();
  expect(vi.getTimerCount()).toBe(1);
  stop();
  expect(vi.getTimerCount()).toBe(0);
});
