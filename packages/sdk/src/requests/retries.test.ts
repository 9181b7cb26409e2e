import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RelayError } from './relay-error.ts';
import { wait, withRetries } from './retries.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const failure = (changed: Partial<ConstructorParameters<typeof RelayError>[0]> = {}) =>
  new RelayError({ code: 'overloaded', detail: 'Too many.', retryable: true, ...changed });

/** How often something is tried that fails so, within so long. */
async function triesOf(failing: Error, { retries = 3, ms = 600_000 } = {}): Promise<number> {
  const attempt = vi.fn<() => Promise<never>>().mockRejectedValue(failing);
  const ended = vi.fn<(cause: unknown) => void>();
  void withRetries({ retries, signal: undefined }, attempt).catch(ended);
  await vi.advanceTimersByTimeAsync(ms);
  expect([[], [[failing]]]).toContainEqual(ended.mock.calls);
  return attempt.mock.calls.length;
}

describe('what fails', () => {
  it('is repeated as often as is allowed, where it may be', async () => {
    expect(await triesOf(failure())).toBe(4);
    expect(await triesOf(failure(), { retries: 0 })).toBe(1);
    expect(await triesOf(failure({ retryable: false }))).toBe(1);
    expect(await triesOf(new Error('a bug'))).toBe(1);
  });

  it('is repeated when the relay says, or not at all where that is too late', async () => {
    expect(await triesOf(failure({ retryAfterMs: 5_000 }), { retries: 1, ms: 4_999 })).toBe(1);
    expect(await triesOf(failure({ retryAfterMs: 5_000 }), { retries: 1, ms: 5_000 })).toBe(2);
    expect(await triesOf(failure({ retryAfterMs: 30_001 }))).toBe(1);
  });

  it('is repeated later each time, by chance within twice the time before', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.999);
    expect(await triesOf(failure(), { ms: 240 })).toBe(1);
    expect(await triesOf(failure(), { ms: 250 })).toBe(2);
    expect(await triesOf(failure(), { ms: 740 })).toBe(2);
    expect(await triesOf(failure(), { ms: 750 })).toBe(3);
  });
});

describe('a wait', () => {
  it('ends with the reason of its caller, and leaves neither timer nor listener', async () => {
    const caller = new AbortController();
    const waiting = wait(1_000, caller.signal);
    caller.abort(new Error('the user left'));
    await expect(waiting).rejects.toThrow('the user left');
    expect(vi.getTimerCount()).toBe(0);
    await expect(wait(1_000, caller.signal)).rejects.toThrow('the user left');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that is over listens to its caller no more', async () => {
    const caller = new AbortController();
    const remove = vi.spyOn(caller.signal, 'removeEventListener');
    const waiting = wait(1_000, caller.signal);
    await vi.advanceTimersByTimeAsync(1_000);
    await waiting;
    expect(remove).toHaveBeenCalledTimes(1);
  });
});
