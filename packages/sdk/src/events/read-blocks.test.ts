import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readBlocks } from './read-blocks.ts';
import type { Block } from './read-blocks.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('a stream that has ended keeps no program from ending', async () => {
  const body = new Blob(['id: g:1\nevent: combat-turn\ndata: {}\n\n']).stream();
  const blocks: Block[] = [];
  for await (const block of readBlocks(body, 60_000)) blocks.push(block);
  expect(blocks).toEqual([{ id: 'g:1' }, { event: 'combat-turn', data: {} }]);
  expect(vi.getTimerCount()).toBe(0);
});

it('a stream counts as silent only while it is asked for more', async () => {
  const { readable, writable } = new TransformStream<Uint8Array>();
  const writer = writable.getWriter();
  const write = (text: string) => void writer.write(new TextEncoder().encode(text));
  const blocks = readBlocks(readable, 1_000);
  write('retry: 5\n\n');
  expect(await blocks.next()).toEqual({ done: false, value: { retryMs: 5 } });
  await vi.advanceTimersByTimeAsync(10_000);
  write('id: g:2\n\n');
  expect(await blocks.next()).toEqual({ done: false, value: { id: 'g:2' } });
  const failure = blocks.next().catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await failure).toMatchObject({ code: 'timeout', retryable: true });
});

it('a character that is cut between two chunks is whole', async () => {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of Buffer.from('data: "⚔"\n\n')) controller.enqueue(Uint8Array.of(byte));
    },
  });
  expect(await readBlocks(body, 60_000).next()).toMatchObject({ value: { event: 'message', data: '⚔' } });
});
