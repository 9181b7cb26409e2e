import { describe, expect, it, vi } from 'vitest';
import { createRetries } from './retries.ts';

const stays = new AbortController().signal;

function retrying(options: { waitMs: number; most: number }) {
  const retries = createRetries(options);
  return (results: string[], gone = stays, onWait = () => {}) => {
    let tries = 0;
    const attempt = () => Promise.resolve(results[Math.min(tries++, results.length - 1)] ?? '');
    const ended = retries.retry({ attempt, isPassing: (result) => result === 'away', gone, onWait });
    return { ended, tries: () => tries };
  };
}

describe('a connecting socket that cannot be let in at the moment', () => {
  it('is tried again until it can', async () => {
    vi.useFakeTimers();
    const { ended } = retrying({ waitMs: 60_000, most: 1 })(['away', 'away', 'in']);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await ended).toBe('in');
    vi.useRealTimers();
  });

  it('is tried half a second later at the soonest, and two seconds at the latest, at random', async () => {
    vi.useFakeTimers();
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.999);
    const late = retrying({ waitMs: 60_000, most: 1 })(['away', 'in']);
    await vi.advanceTimersByTimeAsync(1_980);
    expect(late.tries()).toBe(1);
    await vi.advanceTimersByTimeAsync(60);
    expect(late.tries()).toBe(2);
    random.mockReturnValue(0);
    const soon = retrying({ waitMs: 60_000, most: 1 })(['away', 'in']);
    await vi.advanceTimersByTimeAsync(480);
    expect(soon.tries()).toBe(1);
    await vi.advanceTimersByTimeAsync(60);
    expect(soon.tries()).toBe(2);
    random.mockRestore();
    vi.useRealTimers();
  });

  it('is given up after its time, and at once where none may wait', async () => {
    vi.useFakeTimers();
    const { ended, tries } = retrying({ waitMs: 60_000, most: 1 })(['away']);
    await vi.advanceTimersByTimeAsync(62_500);
    expect(await ended).toBe('away');
    expect(tries()).toBeGreaterThan(25);
    const held = vi.fn<() => void>();
    const none = retrying({ waitMs: 0, most: 1 })(['away'], stays, held);
    expect(await none.ended).toBe('away');
    expect([none.tries(), held.mock.calls.length]).toEqual([1, 0]);
    vi.useRealTimers();
  });

  it('finds room beside so many others, and no more', async () => {
    vi.useFakeTimers();
    const retry = retrying({ waitMs: 60_000, most: 2 });
    const held = vi.fn<() => void>();
    const all = ['a', 'b', 'c'].map(() => retry(['away', 'in'], stays, held));
    expect(await all[2]?.ended).toBe('away');
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await Promise.all(all.slice(0, 2).map(({ ended }) => ended))).toEqual(['in', 'in']);
    expect(held).toHaveBeenCalledTimes(2);
    vi.useRealTimers();
  });

  it('that leaves is looked at once more, at once', async () => {
    const gone = new AbortController();
    const { ended } = retrying({ waitMs: 60_000, most: 1 })(['away', 'gone'], gone.signal);
    gone.abort();
    expect(await ended).toBe('gone');
  });
});
