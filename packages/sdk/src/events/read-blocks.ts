import { createParser } from 'eventsource-parser';
import { RelayError } from '../requests/relay-error.ts';

/** One part of a stream: an event, the place that the stream has reached, or how long to stay away when it ends. */
export type Block = { event: string; data: unknown } | { id: string } | { retryMs: number };

/** A frame of a world has at most 16 MiB, and the relay adds a little. What is longer is not the relay's. */
const maxEventLength = 17 * 1024 * 1024;

/**
 * Reads a stream as it comes, no faster than it is asked for: a slow reader slows its connection, and the relay tells it
 * by `gap`. Rejects where nothing comes for `silentMs` while it waits. Ending it early leaves the connection to the caller.
 */
export async function* readBlocks(
  body: ReadableStream<Uint8Array>,
  silentMs: number,
): AsyncGenerator<Block, void, undefined> {
  let blocks: Block[] = [];
  const parser = createParser({
    maxBufferSize: maxEventLength,
    onId: (id) => blocks.push({ id }),
    onRetry: (retryMs) => blocks.push({ retryMs }),
    onEvent: ({ event = 'message', data }) => blocks.push({ event, data: parse(data) }),
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') throw notOurs('an event without an end', error);
    },
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await within(silentMs, reader.read());
    if (done) return;
    parser.feed(decoder.decode(value, { stream: true }));
    yield* blocks;
    blocks = [];
  }
}

async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(silent(ms)), ms);
  });
  try {
    return await Promise.race([promise, silence]);
  } finally {
    clearTimeout(timer);
  }
}

function silent(ms: number): RelayError {
  const detail = `Nothing came for ${ms} ms, not even a sign of life.`;
  return new RelayError({ code: 'timeout', detail, retryable: true });
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (cause) {
    throw notOurs('an event that is not JSON', cause);
  }
}

function notOurs(what: string, cause: unknown): RelayError {
  const detail = `The stream has ${what}, so it is not the relay’s: is the address right, is a proxy between?`;
  return new RelayError({ code: 'bad_answer', detail, cause });
}
