import { expect, it } from 'vitest';
import { createMemoryHub } from './memory-hub.ts';
import { createMemorySeats } from './memory-seats.ts';

const hall = { name: 'hall', max: 1 };

it('seats of a member that stops are free again', async () => {
  const hub = createMemoryHub();
  const [leaver, stayer] = [createMemorySeats(hub), createMemorySeats(hub)];
  expect((await leaver.take('group', [hall])).outcome).toBe('taken');
  stayer.stop();
  expect((await stayer.take('group', [hall])).outcome).toBe('full');
  leaver.stop();
  expect(hub.seats.size).toBe(0);
  expect((await stayer.take('group', [hall])).outcome).toBe('taken');
});

it('a hall that everybody left is forgotten, and one with a seat taken is kept', async () => {
  const hub = createMemoryHub();
  const seats = createMemorySeats(hub);
  const [first] = [await seats.take('group', [{ ...hall, max: 2 }]), await seats.take('group', [hall])];
  const second = await seats.take('group', [{ ...hall, max: 2 }]);
  if (first.outcome === 'taken') first.leave();
  expect(hub.seats.size).toBe(1);
  if (second.outcome === 'taken') second.leave();
  expect(hub.seats.size).toBe(0);
});
