import { RelayError } from '../requests/relay-error.ts';
import { wait, withRetries } from '../requests/retries.ts';
import { openAnswer } from '../requests/send-request.ts';
import type { RelayRequest } from '../requests/send-request.ts';
import { readBlocks } from './read-blocks.ts';

export interface StreamRequest {
  fetch: typeof globalThis.fetch;
  url: string;
  apiKey: string;
  /** How often to try again before the stream has opened for the first time. */
  retries: number;
  silentMs: number;
  lastEventId: string | undefined;
  signal: AbortSignal;
  onInterrupted: ((error: RelayError, retryInMs: number) => void) | undefined;
}

export interface PlainEvent {
  event: string;
  id: string | undefined;
  data: unknown;
}

const usualRetryMs = 3_000;
const longestWaitMs = 30_000;
/** A relay that asks to stay away for longer is not waited for: the month's calls are used up, say. */
const longestRetryAfterMs = 600_000;

/**
 * Follows one stream for as long as it is asked for events, over any number of connections: each continues after the
 * last event. Returns when the signal is aborted; throws a `RelayError` where the relay refuses for good.
 */
export async function* followStream(request: StreamRequest): AsyncGenerator<PlainEvent, void, undefined> {
  const { signal, retries } = request;
  const place: Place = { lastEventId: request.lastEventId, retryMs: usualRetryMs, failures: 0 };
  try {
    let body = await withRetries({ retries, signal }, () => openBody(request, place));
    for (;;) {
      const error = yield* followBody(body, request, place);
      body = await comeBack(error, request, place);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** State that outlasts a connection. */
interface Place {
  lastEventId: string | undefined;
  retryMs: number;
  /** Connections in turn that brought no event. */
  failures: number;
}

interface Body {
  stream: ReadableStream<Uint8Array>;
  close: () => void;
}

/** Reads one connection to its end, and returns why it ended. */
async function* followBody(
  body: Body,
  { silentMs }: StreamRequest,
  place: Place,
): AsyncGenerator<PlainEvent, RelayError, undefined> {
  try {
    for await (const block of readBlocks(body.stream, silentMs)) {
      if ('id' in block) place.lastEventId = block.id;
      else if ('retryMs' in block) place.retryMs = block.retryMs;
      else {
        place.failures = 0;
        yield { event: block.event, id: place.lastEventId, data: block.data };
      }
    }
    return interrupted('The relay ended the stream.');
  } catch (error) {
    if (error instanceof RelayError) return error;
    return interrupted('The connection broke.', error);
  } finally {
    body.close();
  }
}

/** Waits, opens the stream again, and goes on so as long as there is hope. */
async function comeBack(error: unknown, request: StreamRequest, place: Place): Promise<Body> {
  const { signal } = request;
  for (;;) {
    signal.throwIfAborted();
    if (!(error instanceof RelayError) || !isPassing(error)) throw error;
    const waitMs = error.retryAfterMs ?? backOff(place);
    place.failures += 1;
    request.onInterrupted?.(error, waitMs);
    await wait(waitMs, signal);
    try {
      return await openBody(request, place);
    } catch (next) {
      error = next;
    }
  }
}

/** A world that is offline comes back, and a pause is lifted: the stream would have stayed open. A key that was revoked does not. */
export function isPassing({ retryable, code, retryAfterMs = 0 }: RelayError): boolean {
  return (retryable || code === 'client_offline' || code === 'paused') && retryAfterMs <= longestRetryAfterMs;
}

/** Delay that the relay asked for, longer each time. It is spread, because all listeners of an instance lose it at once. */
function backOff({ retryMs, failures }: Place): number {
  return Math.min(longestWaitMs, retryMs * 2 ** failures) * (0.75 + Math.random() / 2);
}

async function openBody(request: StreamRequest, { lastEventId }: Place): Promise<Body> {
  const connection = new AbortController();
  const signal = AbortSignal.any([request.signal, connection.signal]);
  const asked: RelayRequest = {
    method: 'GET',
    url: request.url,
    apiKey: request.apiKey,
    accept: 'text/event-stream',
    headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
    timeoutMs: request.silentMs,
    signal,
  };
  const stream = await openAnswer(request.fetch, asked, (response) =>
    isEventStream(response) ? (response.body ?? undefined) : undefined,
  );
  return { stream, close: () => connection.abort() };
}

const isEventStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') ?? false;

function interrupted(detail: string, cause?: unknown): RelayError {
  return new RelayError({ code: 'connection_failed', detail, retryable: true, cause });
}
