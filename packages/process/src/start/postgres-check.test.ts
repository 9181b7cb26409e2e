import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPostgresCheck, createReadiness } from './postgres-check.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const refusal = (code: string) => () => Promise.reject(Object.assign(new Error('x'), { code }));

it.each([
  ['takes a write', () => Promise.resolve(), 'up'],
  ['is a replica, or read-only', refusal('25006'), 'read_only'],
  ['is starting', refusal('57P03'), 'down'],
  ['is not there', refusal('ECONNREFUSED'), 'down'],
] as const)('a Postgres that %s: %s %s', async (_what, tryWriting, state) => {
  expect(await createPostgresCheck(tryWriting)()).toBe(state);
});

it('a Postgres that is silent is down after two seconds', async () => {
  const state = createPostgresCheck(() => new Promise(() => {}))();
  const known = vi.fn<(state: string) => void>();
  void state.then(known);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(known).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(known).toHaveBeenCalledWith('down');
});

it('a thousand who ask within a second make one query, and who asks later another', async () => {
  const tryWriting = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const check = createPostgresCheck(tryWriting);
  await Promise.all(Array.from({ length: 1_000 }, check));
  await vi.advanceTimersByTimeAsync(999);
  await check();
  expect(tryWriting).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  await check();
  expect(tryWriting).toHaveBeenCalledTimes(2);
});

it('a process without its queue is not ready, whether the store refuses or is silent', async () => {
  const done = () => Promise.resolve();
  expect(await createReadiness(() => true, done, done)()).toEqual({
    ready: true,
    postgres: 'up',
    queue: 'up',
  });
  const refused = await createReadiness(() => true, done, refusal('ECONNREFUSED'))();
  expect(refused).toEqual({ ready: false, postgres: 'up', queue: 'down' });
  const silent = createReadiness(
    () => true,
    done,
    () => new Promise(() => {}),
  )();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await silent).toMatchObject({ ready: false, queue: 'down' });
});
