import { expect, it } from 'vitest';
import { createTurns } from './turns.ts';

it('work of one name runs one after another, in order, also behind a failure; other names do not wait', async () => {
  const inTurn = createTurns();
  const told: string[] = [];
  const first = Promise.withResolvers<void>();
  const outcomes = [
    inTurn('a', async () => {
      told.push('first begins');
      await first.promise;
      told.push('first fails');
      throw new Error('failed');
    }).catch(String),
    inTurn('a', () => Promise.resolve(told.push('second'))),
    inTurn('a', () => Promise.resolve(told.push('third'))),
  ];
  await inTurn('b', () => Promise.resolve(told.push('another')));
  expect(told).toEqual(['first begins', 'another']);
  first.resolve();
  expect(await Promise.all(outcomes)).toEqual(['Error: failed', 4, 5]);
  expect(told).toEqual(['first begins', 'another', 'first fails', 'second', 'third']);
});

it('work that comes when the first of a line has ended waits for the others of the line', async () => {
  const inTurn = createTurns();
  const second = Promise.withResolvers<void>();
  const told: string[] = [];
  const first = inTurn('a', () => Promise.resolve());
  const running = inTurn('a', () => second.promise);
  await first;
  const third = inTurn('a', () => Promise.resolve(told.push('third')));
  await inTurn('b', () => Promise.resolve());
  expect(told).toEqual([]);
  second.resolve();
  await Promise.all([running, third]);
  expect(told).toEqual(['third']);
});
