import { afterEach, expect, test, vi } from 'vitest';
import { defaultReservationBounds } from '../reservations.ts';
import { createMemoryHub } from './memory-hub.ts';
import { createMemoryReservations } from './memory-reservations.ts';

afterEach(() => void vi.useRealTimers());

test('a reservation is kept for an hour from when it was made, whenever it ended, and then nothing of it stays', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const hub = createMemoryHub();
  const reservations = createMemoryReservations(hub, defaultReservationBounds);
  const place = { group: 'g', parts: ['a'] } as const;
  const made = await reservations.reserve(place, 'n', 60_000);
  vi.advanceTimersByTime(3_000_000);
  await reservations.settle(place, 'token' in made ? made.token : '', { state: 'done', note: 'n' });
  vi.advanceTimersByTime(599_000);
  expect(await reservations.reserve(place, 'n', 1)).toMatchObject({ found: { ageMs: 3_599_000 } });
  vi.advanceTimersByTime(2_000);
  await reservations.reserve({ group: 'other', parts: ['a'] }, 'n', 1);
  expect([...hub.reservations.groups.keys()]).toEqual(['other']);
  expect(hub.reservations.byAge.size).toBe(1);
});
