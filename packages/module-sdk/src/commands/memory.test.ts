import { expect, test, vi } from 'vitest';
import { createMemory } from './memory.ts';

const hourMs = 3_600_000;
const first = (key: string, reservedAt = 0) => ({ key, reservedAt, isRepeat: false });
const repeat = (key: string, reservedAt = 0) => ({ key, reservedAt, isRepeat: true });

function setUp(bounds?: Parameters<typeof createMemory>[0]) {
  const memory = createMemory(bounds);
  const run = vi.fn<(signal: AbortSignal) => Promise<object>>(() => Promise.resolve({ total: 1 }));
  return { memory, run, do: (...args: Parameters<typeof first>) => memory.once(first(...args), run) };
}

const alreadyDone = expect.objectContaining({ code: 'already_done' });
const outcomeUnknown = expect.objectContaining({ code: 'outcome_unknown' });

test('two memories have two names', () => {
  expect(createMemory().name).not.toBe(createMemory().name);
});

test('a command that ran is answered as it was, and each answer is the caller’s own', async () => {
  const { memory, run } = setUp();
  const answer = await memory.once(first('a'), run);
  Object.assign(answer, { total: 2 });
  expect(await memory.once(repeat('a'), run)).toEqual({ total: 1 });
  // The relay lost what it knew, and takes it for a first one.
  expect(await memory.once(first('a', hourMs - 1), run)).toEqual({ total: 1 });
  expect(run).toHaveBeenCalledTimes(1);
});

test('a repeat of what still runs gets the answer of the first one', async () => {
  const { memory, run } = setUp();
  const running = Promise.withResolvers<object>();
  run.mockReturnValueOnce(running.promise);
  const both = Promise.all([memory.once(first('a'), run), memory.once(repeat('a'), run)]);
  running.resolve({ total: 7 });
  expect(await both).toEqual([{ total: 7 }, { total: 7 }]);
  expect(run).toHaveBeenCalledTimes(1);
});

test('a repeat of what never came is carried out', async () => {
  const { memory, run } = setUp();
  expect(await memory.once(repeat('a', 5), run)).toEqual({ total: 1 });
});

test('a key that comes back after an hour stands for a new command', async () => {
  const { memory, run } = setUp();
  await memory.once(first('a'), run);
  run.mockResolvedValueOnce({ total: 2 });
  expect(await memory.once(first('a', hourMs), run)).toEqual({ total: 2 });
  expect(await memory.once(repeat('a', hourMs), run)).toEqual({ total: 2 });
});

test('the last 1,000 are remembered; a repeat of one that may be forgotten is refused, a new command never', async () => {
  const { memory, run, do: command } = setUp();
  // Reserved in one order and come in another.
  await command('late', 2_000);
  for (let n = 0; n < 999; n++) await command(`${n}`, n);
  expect(run).toHaveBeenCalledTimes(1_000);
  await command('one more', 3_000);
  run.mockClear();
  expect(await memory.once(repeat('late', 2_000), run)).toEqual(outcomeUnknown);
  expect(await memory.once(repeat('never came', 1_500), run)).toEqual(outcomeUnknown);
  expect(run).not.toHaveBeenCalled();
  expect(await memory.once(repeat('0', 0), run)).toEqual({ total: 1 });
  expect(run).not.toHaveBeenCalled();
  await memory.once(repeat('younger than all that went', 2_001), run);
  await command('slow on its way', 1_000);
  expect(run).toHaveBeenCalledTimes(2);
});

test('of a command with a large answer, and of old ones above the bytes of all, it is remembered that they were done', async () => {
  const { memory, run } = setUp({ commands: 10, resultLength: 40, totalLength: 100 });
  const text = (length: number) => run.mockResolvedValueOnce({ text: 'x'.repeat(length) });
  text(60);
  await memory.once(first('large'), run);
  for (const key of ['a', 'b', 'c', 'd']) {
    text(20);
    await memory.once(first(key), run);
  }
  const again = async (key: string) => await memory.once(repeat(key), run);
  expect([await again('large'), await again('a')]).toEqual([alreadyDone, alreadyDone]);
  for (const key of ['b', 'c', 'd']) expect(await again(key)).toEqual({ text: 'x'.repeat(20) });
  expect(run).toHaveBeenCalledTimes(5);
});

test('what was forgotten while it ran takes no room when it ends', async () => {
  const { memory, run } = setUp({ commands: 1, resultLength: 40, totalLength: 40 });
  const running = Promise.withResolvers<object>();
  run.mockReturnValueOnce(running.promise);
  const slow = memory.once(first('slow', 1), run);
  run.mockResolvedValueOnce({ text: 'x'.repeat(20) });
  await memory.once(first('a', 2), run);
  running.resolve({ text: 'y'.repeat(20) });
  await slow;
  expect(await memory.once(repeat('a', 2), run)).toEqual({ text: 'x'.repeat(20) });
  expect(await memory.once(repeat('slow', 1), run)).toEqual(outcomeUnknown);
});

test('what cannot be written as JSON is remembered as a failure', async () => {
  const { memory, run } = setUp();
  const cyclic: { self?: object } = {};
  cyclic.self = cyclic;
  run.mockResolvedValueOnce(cyclic);
  await memory.once(first('a'), run);
  expect(await memory.once(repeat('a'), run)).toMatchObject({ error: expect.stringContaining('JSON') });
});
