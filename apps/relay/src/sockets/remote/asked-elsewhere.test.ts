import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TokenPrincipal } from '../../worlds/authenticate-token.ts';
import { AskedElsewhere } from './asked-elsewhere.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const request = () => ({ abandon: vi.fn<() => void>(), recheck: vi.fn<(now: TokenPrincipal) => void>() });

/** Tells when the promise resolves, without waiting for it. */
function watch(promise: Promise<void>) {
  const state = { isDone: false };
  void promise.then(() => (state.isDone = true));
  return state;
}

test('who waits for the requests to end waits for the last one, and where none runs not at all', async () => {
  const asked = new AskedElsewhere();
  const [first, second] = [request(), request()];
  await asked.whenIdle();
  asked.add(first);
  asked.add(second);
  const idle = watch(asked.whenIdle());
  asked.delete(first);
  await vi.advanceTimersByTimeAsync(10);
  expect([idle.isDone, asked.size]).toEqual([false, 1]);
  asked.delete(second);
  await vi.advanceTimersByTimeAsync(10);
  expect([idle.isDone, asked.size, vi.getTimerCount()]).toEqual([true, 0, 0]);
});

test('all that run are told of the end of their socket and of new rights, those that ended are not', () => {
  const asked = new AskedElsewhere();
  asked.delete(request());
  const [ended, running] = [request(), request()];
  asked.add(ended);
  asked.add(running);
  asked.delete(ended);
  const principal = { tokenId: 'token' } as TokenPrincipal;
  asked.recheckAll(principal);
  asked.abandonAll();
  expect(running.recheck).toHaveBeenCalledExactlyOnceWith(principal);
  expect(running.abandon).toHaveBeenCalledOnce();
  expect([ended.abandon, ended.recheck].flatMap(({ mock }) => mock.calls)).toEqual([]);
});
