import { expect, onTestFinished, test, vi } from 'vitest';
import { connectPair } from '../../test/connect-pair.ts';
import { createDeadlines } from './deadlines.ts';

test.each([-1_000, 0, 30])('a deadline in %i ms comes once', async (afterMs) => {
  const deadlines = createDeadlines();
  const expire = vi.fn<() => void>();
  // Something waits already, so the wheel is turning.
  const other = deadlines.add(10_000, () => {});
  deadlines.add(afterMs, expire);
  await vi.waitFor(() => expect(expire).toHaveBeenCalledTimes(1), 10_000);
  other.cancel();
});

test('no timer goes on once the last deadline has passed', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  createDeadlines().add(100, () => {});
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect(vi.getTimerCount()).toBe(0);
});

test('a deadline that was cancelled does not come', async () => {
  const deadlines = createDeadlines();
  const cancelled = vi.fn<() => void>();
  const later = vi.fn<() => void>();
  deadlines.add(10, cancelled).cancel();
  deadlines.add(60, later);
  await vi.waitFor(() => expect(later).toHaveBeenCalled(), 10_000);
  expect(cancelled).not.toHaveBeenCalled();
});

test('a deadline that passed while the event loop stood still does not come if its answer came meanwhile', async () => {
  const { near, far } = await connectPair();
  const expire = vi.fn<() => void>();
  const deadline = createDeadlines().add(50, expire);
  const answered = new Promise<void>((resolve) =>
    near.once('data', () => {
      deadline.cancel();
      resolve();
    }),
  );
  far.write('the answer');
  const until = performance.now() + 200;
  while (performance.now() < until);
  await answered;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(expire).not.toHaveBeenCalled();
});
