import { afterEach, expect, test, vi } from 'vitest';
import { createMemoryHub } from './memory-hub.ts';
import { createMemoryTickets } from './memory-tickets.ts';

afterEach(() => void vi.useRealTimers());

test('a ticket waits for its first use as long as it was given, and then five minutes for each next', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const tickets = createMemoryTickets(createMemoryHub());
  const use = (shown: string, next: string) => tickets.use('one', { shown, next });
  await tickets.issue('one', 'note', 60_000);
  vi.advanceTimersByTime(59_000);
  expect(await use('', '1')).toMatchObject({ note: 'note' });
  vi.advanceTimersByTime(299_000);
  expect(await use('1', '2')).toMatchObject({ note: 'note' });
  vi.advanceTimersByTime(299_000);
  // Its stream is open.
  await tickets.keep(['one']);
  vi.advanceTimersByTime(299_000);
  expect(await use('2', '3')).toMatchObject({ note: 'note' });
  vi.advanceTimersByTime(301_000);
  expect(await use('3', '4')).toBeUndefined();
});
