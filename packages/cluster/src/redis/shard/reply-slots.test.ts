import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReplySlotsOptions } from './reply-slots.ts';
import { createReplySlots, slotOf } from './reply-slots.ts';

/** Channels of which a test says when the subscription to more stands. */
function open(options: Partial<ReplySlotsOptions> = {}) {
  const asked: string[][] = [];
  const answers: (() => void)[] = [];
  const slots = createReplySlots({
    boot: 'boot',
    first: 0,
    step: 1,
    initial: 4,
    max: 8,
    ...options,
    subscribe: (channels) => {
      asked.push(channels);
      return new Promise<void>((resolve) => answers.push(resolve));
    },
  });
  /** Undefined while no channel is free. */
  const lend = (): { id?: number; isWaiting: boolean } => {
    const result: { id?: number; isWaiting: boolean } = { isWaiting: false };
    result.isWaiting = slots.lend((id) => {
      result.id = id;
      return true;
    });
    return result;
  };
  const answer = async () => {
    answers.shift()?.();
    await Promise.resolve();
  };
  return { slots, asked, answer, lend };
}

test('a channel is lent to one call at a time, and each time under another id', () => {
  // Each step ends the running call at this place and lends its channel anew.
  const scenario = fc.array(fc.nat({ max: 3 }), { maxLength: 200 });
  fc.assert(
    fc.property(scenario, (steps) => {
      const { slots, lend } = open();
      slots.stand();
      const running = Array.from({ length: 4 }, () => lend().id ?? 0);
      const ids = [...running];
      for (const place of steps) {
        slots.giveBack(running[place] ?? 0);
        running[place] = lend().id ?? 0;
        expect(new Set(running.map(slotOf)).size).toBe(4);
        ids.push(running[place]);
      }
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).not.toContain(0);
    }),
  );
});

test('none is lent before its subscription stands, and more are made before the last is lent', async () => {
  const { slots, asked, answer, lend } = open();
  const early = lend();
  expect(early).toEqual({ isWaiting: true });
  slots.stand();
  expect(early.id).toBeDefined();
  expect(slots.channels()).toEqual([0, 1, 2, 3].map((slot) => `r:reply:boot:${slot}`));
  lend();
  lend();
  expect(asked).toEqual([]);
  lend();
  expect(asked).toEqual([[4, 5, 6, 7].map((slot) => `r:reply:boot:${slot}`)]);
  const fifth = lend();
  expect(fifth.id).toBeUndefined();
  await answer();
  expect(slotOf(fifth.id ?? 0)).toBeGreaterThan(3);
});

test('more are made as long as calls wait', async () => {
  const { slots, asked, answer, lend } = open({ initial: 1, max: 8 });
  slots.stand();
  const calls = Array.from({ length: 8 }, lend);
  for (let times = 0; times < 3; times++) await answer();
  expect(asked.map(({ length }) => length)).toEqual([1, 2, 4]);
  expect(calls.every(({ id }) => id !== undefined)).toBe(true);
});

test('a new subscription replaces a growth that failed', () => {
  const { slots, lend } = open();
  slots.stand();
  const calls = Array.from({ length: 8 }, lend);
  expect(calls.filter(({ id }) => id !== undefined)).toHaveLength(4);
  expect(slots.channels()).toHaveLength(8);
  slots.stand();
  expect(new Set(calls.map(({ id }) => id)).size).toBe(8);
  expect(calls.every(({ id }) => id !== undefined)).toBe(true);
});

test('calls wait for a channel up to a bound, and one that ended meanwhile gets none', async () => {
  const { slots, answer, lend } = open();
  slots.stand();
  const running = Array.from({ length: 4 }, lend);
  await answer();
  running.push(...Array.from({ length: 4 }, lend));
  slots.lend(() => false);
  const waiting = Array.from({ length: 7 }, lend);
  expect(lend()).toEqual({ isWaiting: false });
  slots.giveBack(running[2]?.id ?? 0);
  expect(waiting.map(({ id }) => id !== undefined)).toEqual([
    true,
    ...Array.from({ length: 6 }, () => false),
  ]);
  expect(slots.channels()).toHaveLength(8);
});

test('shards share no slot, and together have 16,384', () => {
  const all = [0, 1, 2].flatMap((first) => {
    const { slots, answer, lend } = open({ first, step: 3, initial: 20_000, max: 20_000 });
    slots.stand();
    void answer();
    const { length } = slots.channels();
    return Array.from({ length }, () => slotOf(lend().id ?? 0));
  });
  expect(all).toHaveLength(16_384);
  expect(new Set(all).size).toBe(16_384);
});

test('of several shards each lends its own channels again', () => {
  const { slots, lend } = open({ first: 1, step: 2, initial: 2, max: 2 });
  slots.stand();
  const lendBoth = () => [lend(), lend()].map(({ id = 0 }) => id);
  const placesOf = (ids: readonly number[]) => ids.map(slotOf).toSorted((a, b) => a - b);
  const lent = lendBoth();
  expect(placesOf(lent)).toEqual([1, 3]);
  for (const id of lent) slots.giveBack(id);
  expect(placesOf(lendBoth())).toEqual([1, 3]);
});
