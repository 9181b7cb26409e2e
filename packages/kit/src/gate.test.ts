import { afterEach, expect, test, vi } from 'vitest';
import { createGate } from './gate.ts';

const stays = new AbortController().signal;

afterEach(() => void vi.useRealTimers());

function setUp(patienceMs: number) {
  const { pass } = createGate({ width: 2, mostWaiting: 2, patienceMs });
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const tasks = [0, 1, 2, 3].map((index) =>
    pass(() => {
      started.push(index);
      return new Promise<number>((resolve) => (ends[index] = () => resolve(index)));
    }, stays),
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
  const { pass } = createGate({ width: 1, mostWaiting: 1, patienceMs: 60_000 });
  await expect(pass(() => Promise.reject(new Error('no')), stays)).rejects.toThrow('no');
  await expect(pass(() => Promise.resolve('in'), stays)).resolves.toBe('in');
});

test('slow tasks keep nobody waiting, and give their place away only once', async () => {
  vi.useFakeTimers();
  const { pass } = createGate({ width: 1, mostWaiting: 2, patienceMs: 30 });
  const slow = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const slowTask = pass(() => slow.promise, stays);
  const started: string[] = [];
  const begin = (name: string, until: Promise<void>) =>
    pass(() => {
      started.push(name);
      return until;
    }, stays);
  const tasks = [slowTask, begin('second', second.promise)];
  await vi.advanceTimersByTimeAsync(40);
  expect(started).toEqual(['second']);
  slow.resolve();
  await slowTask;
  tasks.push(begin('third', Promise.resolve()));
  await Promise.resolve();
  expect(started).toEqual(['second']);
  second.resolve();
  await Promise.all(tasks);
  expect(started).toEqual(['second', 'third']);
});

test('a task that ended in time gives its place away only once', async () => {
  vi.useFakeTimers();
  const { pass } = createGate({ width: 1, mostWaiting: 2, patienceMs: 30 });
  await pass(() => Promise.resolve(), stays);
  await vi.advanceTimersByTimeAsync(60);
  const inside = Promise.withResolvers<void>();
  let isSecondIn = false;
  const first = pass(() => inside.promise, stays);
  const second = pass(() => Promise.resolve(void (isSecondIn = true)), stays);
  await vi.advanceTimersByTimeAsync(1);
  expect(isSecondIn).toBe(false);
  inside.resolve();
  await Promise.all([first, second]);
});

test('who goes while it waits leaves its place in the line to others, and its task never runs', async () => {
  const { pass } = createGate({ width: 1, mostWaiting: 2, patienceMs: 60_000 });
  const inside = Promise.withResolvers<void>();
  const first = pass(() => inside.promise, stays);
  const leaving = new AbortController();
  const started: string[] = [];
  const begin = (name: string, gone: AbortSignal) =>
    pass(() => Promise.resolve(void started.push(name)), gone);
  const gone = begin('gone', leaving.signal);
  const second = begin('second', stays);
  await expect(begin('one too many', stays)).resolves.toBe('full');
  leaving.abort();
  await expect(gone).resolves.toBe('gone');
  const third = begin('third', stays);
  inside.resolve();
  await Promise.all([first, second, third]);
  expect(started).toEqual(['second', 'third']);
  await expect(begin('gone before', leaving.signal)).resolves.toBe('gone');
});
