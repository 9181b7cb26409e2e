import { expect, test } from 'vitest';
import { createDeadlines } from './deadlines.ts';
import { createGate } from './gate.ts';

function setUp(patienceMs: number) {
  const pass = createGate(createDeadlines(), { width: 2, patienceMs });
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const tasks = [0, 1, 2, 3].map((index) =>
    pass(() => {
      started.push(index);
      return new Promise<number>((resolve) => (ends[index] = () => resolve(index)));
    }),
  );
  return { started, ends, tasks };
}

test('tasks run so many at a time, in the order in which they came', async () => {
  const { started, ends, tasks } = setUp(60_000);
  await Promise.resolve();
  expect(started).toEqual([0, 1]);
  ends[1]?.();
  await expect(tasks[1]).resolves.toBe(1);
  await expect.poll(() => started).toEqual([0, 1, 2]);
  ends[0]?.();
  await expect.poll(() => started).toEqual([0, 1, 2, 3]);
  ends[2]?.();
  ends[3]?.();
  await expect(Promise.all(tasks)).resolves.toEqual([0, 1, 2, 3]);
});

test('a task that fails leaves its place to the next', async () => {
  const pass = createGate(createDeadlines(), { width: 1, patienceMs: 60_000 });
  await expect(pass(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(pass(() => Promise.resolve('in'))).resolves.toBe('in');
});

test('slow tasks keep nobody waiting, and give their place away only once', async () => {
  const pass = createGate(createDeadlines(), { width: 1, patienceMs: 30 });
  const slow = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const slowTask = pass(() => slow.promise);
  const started: string[] = [];
  const begin = (name: string, until: Promise<void>) =>
    pass(() => {
      started.push(name);
      return until;
    });
  const tasks = [slowTask, begin('second', second.promise)];
  await expect.poll(() => started).toEqual(['second']);
  slow.resolve();
  await slowTask;
  tasks.push(begin('third', Promise.resolve()));
  await Promise.resolve();
  expect(started).toEqual(['second']);
  second.resolve();
  await Promise.all(tasks);
  expect(started).toEqual(['second', 'third']);
});
