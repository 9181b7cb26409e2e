import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { KeysByHash, Principal } from '../../src/keys/authenticate.ts';
import { noPauses } from '../../src/pauses/pauses.ts';
import type { OpenListener, OpenListeners } from '../../src/streams/open-listeners.ts';
import { watchKeys } from '../../src/streams/watch-keys.ts';
import { createFakeFeed } from '../credentials/fake-feed.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const principal = {
  accountId: 'account',
  keyId: 'key',
  scopes: new Set(['events:subscribe']),
  clientIds: null,
  pauses: noPauses,
} as unknown as Principal;

it('a stream whose key cannot be read delivers nothing within a second, and goes on when it can', async () => {
  const done: string[] = [];
  const listener = {
    hold: () => done.push('hold'),
    setPause: () => done.push('goes on'),
    end: () => done.push('end'),
  };
  const stream = { principal, clientId: 'world', listener } as unknown as OpenListener;
  const { promise: read, resolve } = Promise.withResolvers<Principal>();
  const { feed, say } = createFakeFeed();
  const stop = watchKeys({
    feed,
    keys: { hashOf: () => 'hash', find: () => read } as unknown as KeysByHash,
    open: { byAccount: () => [stream], all: () => [] } as unknown as OpenListeners,
    log: pino({ level: 'silent' }),
  });
  say({ accountId: 'account', subject: 'key', subjectId: 'key', change: 'changed' });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(done).toEqual(['hold']);
  resolve(principal);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(done).toEqual(['hold', 'goes on']);
  stop();
});
