import { expect, test } from 'vitest';
import { createTickBatch } from './tick-batch.ts';

const turn = () => new Promise(setImmediate);

function setUp() {
  const batches: number[][] = [];
  const add = createTickBatch<number>((items) => batches.push(items));
  return { batches, add };
}

test('what one turn brings goes together, and what the next brings apart', async () => {
  const { batches, add } = setUp();
  for (const item of [1, 2, 3]) add(item, 10);
  expect(batches).toEqual([]);
  await turn();
  add(4, 10);
  await turn();
  expect(batches).toEqual([[1, 2, 3], [4]]);
});

test('a batch of 128 items goes at once, and leaves nothing for the end of the turn', async () => {
  const { batches, add } = setUp();
  for (let item = 0; item < 128; item++) add(item, 1);
  expect(batches.map(({ length }) => length)).toEqual([128]);
  await turn();
  expect(batches).toHaveLength(1);
});

test('a batch of a mebibyte goes at once', async () => {
  const { batches, add } = setUp();
  add(1, 1_000_000);
  add(2, 48_575);
  expect(batches).toEqual([]);
  add(3, 1);
  expect(batches).toEqual([[1, 2, 3]]);
  add(4, 1_000_000);
  await turn();
  expect(batches).toEqual([[1, 2, 3], [4]]);
});
