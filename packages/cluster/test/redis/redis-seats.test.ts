import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFakeShard, settle } from '../fakes/fake-shard.ts';
import { keys } from '../../src/redis/keys.ts';
import { createRedisSeats } from '../../src/redis/redis-seats.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

const halls = [
  { name: 'key', max: 2 },
  { name: 'account', max: 5 },
];

async function takeSeat() {
  const fake = createFakeShard();
  const seats = createRedisSeats(() => fake.shard);
  seats.start();
  const taking = seats.take('account', halls);
  fake.runs[0]?.answer.resolve(0);
  const seat = await taking;
  const id = String(fake.runs[0]?.args[0]);
  return { ...fake, seats, seat, id };
}

test('a seat is kept while its instance lives, and left once in each hall when the instance ends', async () => {
  const { seats, runs, commands, id } = await takeSeat();
  vi.advanceTimersByTime(20_000);
  expect(runs[1]).toMatchObject({ keys: halls.map(({ name }) => keys.seats(name)), args: [60_000, id, id] });
  seats.stop();
  expect(commands.map(({ name, args }) => [name, ...args])).toEqual(
    halls.map(({ name }) => ['zrem', keys.seats(name), id]),
  );
  seats.stop();
  expect(commands).toHaveLength(2);
  expect(vi.getTimerCount()).toBe(0);
});

test('who finds no seat is told in which hall, and keeps none in the others', async () => {
  const fake = createFakeShard();
  const seats = createRedisSeats(() => fake.shard);
  const taking = seats.take('account', halls, { name: 'mine', turn: 7 });
  expect(fake.runs[0]?.args).toEqual(['mine:7', 60_000, 2, 5, 'mine:', 7]);
  fake.runs[0]?.answer.resolve(2);
  expect(await taking).toEqual({ outcome: 'full', hall: halls[1] });
  seats.stop();
  expect(fake.commands).toEqual([]);
});

test('a seat that is left is kept no more, whether Redis answers or not', async () => {
  const { seats, seat, runs, commands } = await takeSeat();
  expect(seat).toMatchObject({ outcome: 'taken' });
  if ('leave' in seat) seat.leave();
  for (const { answer } of commands) answer.reject(new Error('away'));
  await settle();
  vi.advanceTimersByTime(20_000);
  expect(runs).toHaveLength(1);
  seats.stop();
});
