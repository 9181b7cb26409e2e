import { Budget } from '@tabletop-relay/kit';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createMemoryHub } from '../src/memory/memory-hub.ts';
import { createMemoryStreamStore } from '../src/memory/streams/memory-stream-store.ts';
import { createStreams } from '../src/streams/create-streams.ts';
import { defaultStreamBounds } from '../src/streams/streams.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const idBytes = 16 * 1024;
const uses = 500;

/** How many of 500 ids are still in memory after each was used. An id is so long that it outweighs all else. */
async function countLeft(use: (id: string) => Promise<void> | void): Promise<number> {
  const useAll = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n++) await use(Buffer.alloc(idBytes, `${n} `).toString('latin1'));
  };
  // What is kept once for all, compiled code above all, is there after the first.
  await useAll(20);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  await useAll(uses);
  collectGarbage();
  return Math.max(0, process.memoryUsage().heapUsed - before) / idBytes;
}

test('a count of what is left counts what is kept', async () => {
  const kept: string[] = [];
  expect(await countLeft((id) => void kept.push(id))).toBeGreaterThan(uses / 2);
  expect(kept.length).toBeGreaterThan(uses);
});

test.each([true, false])(
  'a socket that has ended leaves nothing behind, with offline %s',
  async (offline) => {
    const hub = createMemoryHub();
    const events = () => ({ onGap: () => {}, onBack: () => {}, onListeners: () => {} });
    const store = createMemoryStreamStore({ hub, boot: 'boot', bounds: defaultStreamBounds, events });
    const streams = createStreams([store], () => 0, defaultStreamBounds);
    const left = await countLeft(async (id) => {
      streams.open(id, id, ['rolls']);
      await streams.close(id, { offline });
    });
    expect(left).toBeLessThan(uses / 4);
    await streams.stop(0);
  },
);

test('an account whose replies were read leaves nothing behind', async () => {
  const room = new Budget(10_000);
  expect(await countLeft((of) => room.take([{ of, most: 5_000 }], 1_000)?.())).toBeLessThan(uses / 4);
  expect(room.total).toBe(0);
});
