import { expect, test, vi } from 'vitest';
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

test('a deadline that was cancelled does not come', async () => {
  const deadlines = createDeadlines();
  const cancelled = vi.fn<() => void>();
  const later = vi.fn<() => void>();
  deadlines.add(10, cancelled).cancel();
  deadlines.add(60, later);
  await vi.waitFor(() => expect(later).toHaveBeenCalled(), 10_000);
  expect(cancelled).not.toHaveBeenCalled();
});
