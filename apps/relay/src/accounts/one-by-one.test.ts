import { expect, it } from 'vitest';
import { createOneByOne } from './one-by-one.ts';

it('work of one name runs one after another, in order, also behind a failure; other names do not wait', async () => {
  const oneByOne = createOneByOne();
  const told: string[] = [];
  const first = Promise.withResolvers<void>();
  const outcomes = [
    oneByOne('a', async () => {
      told.push('first begins');
      await first.promise;
      told.push('first fails');
      throw new Error('failed');
    }).catch(String),
    oneByOne('a', () => Promise.resolve(told.push('second'))),
    oneByOne('a', () => Promise.resolve(told.push('third'))),
  ];
  await oneByOne('b', () => Promise.resolve(told.push('another')));
  expect(told).toEqual(['first begins', 'another']);
  first.resolve();
  expect(await Promise.all(outcomes)).toEqual(['Error: failed', 4, 5]);
  expect(told).toEqual(['first begins', 'another', 'first fails', 'second', 'third']);
});

it('work that comes when the first of a line has ended waits for the others of the line', async () => {
  const oneByOne = createOneByOne();
  const second = Promise.withResolvers<void>();
  const told: string[] = [];
  const first = oneByOne('a', () => Promise.resolve());
  const running = oneByOne('a', () => second.promise);
  await first;
  const third = oneByOne('a', () => Promise.resolve(told.push('third')));
  await oneByOne('b', () => Promise.resolve());
  expect(told).toEqual([]);
  second.resolve();
  await Promise.all([running, third]);
  expect(told).toEqual(['third']);
});
