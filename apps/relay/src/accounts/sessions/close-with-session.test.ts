import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeWithSession } from './close-with-session.ts';

const dayMs = 86_400_000;

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

function open(findEnd: () => Promise<Date | undefined>) {
  let onClose = () => {};
  const stream = {
    close: vi.fn<() => void>(() => onClose()),
    onClose: (work: () => void) => (onClose = work),
  };
  const find = vi.fn<typeof findEnd>(findEnd);
  closeWithSession(stream, { findEnd: find, now: () => Date.now() });
  return { stream, find };
}

describe('a stream that closes with its session', () => {
  it('closes at the end, however far it is', async () => {
    const { stream, find } = open(() => Promise.resolve(new Date(30 * dayMs)));
    await vi.advanceTimersByTimeAsync(30 * dayMs - 1);
    expect(stream.close).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(stream.close).toHaveBeenCalledOnce();
    expect(find.mock.calls.length).toBeLessThanOrEqual(32);
  });

  it('goes on where the session was used meanwhile', async () => {
    let end = new Date(1_000);
    const { stream } = open(() => Promise.resolve(end));
    await vi.advanceTimersByTimeAsync(999);
    end = new Date(5_000);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(stream.close).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(stream.close).toHaveBeenCalledOnce();
  });

  it.each([
    ['has ended', () => Promise.resolve(undefined)],
    ['cannot be read', () => Promise.reject(new Error('away'))],
  ])('closes at once where the session %s', async (_when, findEnd) => {
    const { stream } = open(findEnd);
    await vi.advanceTimersByTimeAsync(0);
    expect(stream.close).toHaveBeenCalledOnce();
  });

  it('is closed no second time where it was closed while its session was read', async () => {
    const found = Promise.withResolvers<undefined>();
    const { stream } = open(() => found.promise);
    stream.close();
    found.resolve(undefined);
    await vi.advanceTimersByTimeAsync(0);
    expect([stream.close.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0]);
  });

  it('leaves no timer behind when it was closed', async () => {
    const { stream } = open(() => Promise.resolve(new Date(dayMs)));
    await vi.advanceTimersByTimeAsync(0);
    stream.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});
