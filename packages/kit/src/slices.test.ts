import { expect, test } from 'vitest';
import { createSlices } from './slices.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('work of ten milliseconds takes three turns of the event loop, in its order', async () => {
  let now = 0;
  const slices = createSlices(() => now);
  const done: number[] = [];
  for (let index = 0; index < 10; index++) {
    slices.add(() => {
      now++;
      done.push(index);
    });
  }
  expect(slices.waiting).toBe(10);
  await turn();
  expect(done).toEqual([0, 1, 2, 3]);
  await turn();
  expect(done).toHaveLength(8);
  await turn();
  expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(slices.waiting).toBe(0);
});

test('work that is added meanwhile is done too', async () => {
  const slices = createSlices();
  const done: string[] = [];
  slices.add(() => slices.add(() => done.push('second')));
  await turn();
  await turn();
  slices.add(() => done.push('third'));
  await turn();
  expect(done).toEqual(['second', 'third']);
});

test('no more than 64 things are begun in a turn, however short they are', async () => {
  const slices = createSlices(() => 0);
  for (let index = 0; index < 150; index++) slices.add(() => {});
  const waiting: number[] = [];
  for (const _turn of [1, 2, 3]) {
    await turn();
    waiting.push(slices.waiting);
  }
  expect(waiting).toEqual([86, 22, 0]);
});
