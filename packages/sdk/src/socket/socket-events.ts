import { streamMethods } from '../events/event-streams.ts';
import type { EventStreams, FollowOptions, Given } from '../events/event-streams.ts';
import { isPassing } from '../events/follow-stream.ts';
import type { PlainEvent } from '../events/follow-stream.ts';
import { wait } from '../requests/retries.ts';
import type { RelayError } from '../requests/relay-error.ts';
import type { SocketLine, SocketMessage } from './socket-line.ts';

/** Events that wait for a program which is slow; above it they are left out, and `gap` tells how many. */
const mostWaiting = 10_000;
const subscribeMs = 15_000;
const comeBackMs = 1_000;

/** The channels over one socket. Each loop is one subscription, which comes back with the socket and goes on behind its last event. */
export function createSocketEvents(line: SocketLine, usualClientId: string | undefined): EventStreams {
  return streamMethods(({ channel, given, options }, signal) => {
    const { clientId = usualClientId, ...filters } = given;
    return followChannel(line, { channel, clientId, filters: defined(filters) }, options, signal);
  });
}

const defined = (given: Given): Given =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));

interface Asked {
  channel: string;
  clientId: unknown;
  filters: Given;
}

async function* followChannel(
  line: SocketLine,
  asked: Asked,
  { lastEventId: after, onInterrupted }: FollowOptions,
  signal: AbortSignal,
): AsyncGenerator<PlainEvent, void, undefined> {
  const subscriptionId = `events-${line.nextId()}`;
  let lastEventId = after;
  let wasOpen = false;
  const queue = new EventQueue(asked.channel);
  line.subscribe(subscriptionId, queue);
  try {
    for (;;) {
      let waitMs = 0;
      try {
        queue.clear();
        const message = { type: 'subscribe', subscriptionId, ...asked, lastEventId };
        const subscribed = await line.ask(message, { timeoutMs: subscribeMs, signal, isRepeatable: true });
        wasOpen = true;
        lastEventId = subscribed['id'] as string;
        const { clientId, recovered } = subscribed;
        yield { event: 'connected', id: lastEventId, data: { clientId, channel: asked.channel, recovered } };
        for (;;) {
          const event = await queue.next(signal);
          if (event === undefined) break;
          lastEventId = event.id ?? lastEventId;
          yield event;
        }
        lastEventId = queue.position ?? lastEventId;
        waitMs = queue.retryAfterMs;
      } catch (error) {
        if (signal.aborted || line.isEnded) throw error;
        const failure = error as RelayError;
        if (!wasOpen || !isPassing(failure)) throw error;
        waitMs = failure.retryAfterMs ?? comeBackMs;
        onInterrupted?.(failure, waitMs);
      }
      await wait(waitMs, AbortSignal.any([signal, line.signal]));
    }
  } catch (error) {
    // Who ends the socket has ended the loop.
    if (!signal.aborted && !(line.isEnded && (await line.ended) === undefined)) throw error;
  } finally {
    line.unsubscribe(subscriptionId);
  }
}

/** The events of one subscription that its loop has not taken. */
class EventQueue {
  #events: PlainEvent[] = [];
  #dropped = 0;
  #last: SocketMessage | undefined;
  #isOver = false;
  #wake: (() => void) | undefined;
  /** How far the stream has come without an event that passed the filters. */
  position: string | undefined;
  /** How long to wait before the subscription is asked for again. */
  retryAfterMs = 0;
  readonly #channel: string;

  constructor(channel: string) {
    this.#channel = channel;
  }

  clear(): void {
    this.#events = [];
    this.#dropped = 0;
    this.#isOver = false;
    this.position = undefined;
  }

  lost(): void {
    this.retryAfterMs = 0;
    this.#over();
  }

  #over(): void {
    this.#isOver = true;
    this.#wake?.();
  }

  take(message: SocketMessage): void {
    const { type, id, event, data, retryAfterMs = 0 } = message;
    // What came before was of an earlier one whose answer was not waited for, and comes again.
    if (type === 'subscribed') return this.clear();
    if (type === 'position') this.position = id as string;
    if (typeof event !== 'string' && type !== 'unsubscribed') return;
    if (type === 'unsubscribed') {
      this.retryAfterMs = retryAfterMs as number;
      return this.#over();
    }
    if (this.#events.length >= mostWaiting || this.#dropped > 0) {
      this.#dropped += 1;
      this.#last = message;
    } else this.#events.push({ event: event as string, id: id as string, data });
    this.position = undefined;
    this.#wake?.();
  }

  /** The next event; undefined where the subscription is over. Rejects when the signal is aborted. */
  async next(signal: AbortSignal): Promise<PlainEvent | undefined> {
    for (;;) {
      const event = this.#events.shift();
      if (event) return event;
      if (this.#dropped > 0 && this.#last) {
        const { clientId, id } = this.#last;
        const dropped = this.#dropped;
        this.#dropped = 0;
        return { event: 'gap', id: id as string, data: { clientId, channel: this.#channel, dropped } };
      }
      if (this.#isOver) return undefined;
      signal.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        const stop = () => reject(signal.reason as Error);
        signal.addEventListener('abort', stop, { once: true });
        this.#wake = () => {
          signal.removeEventListener('abort', stop);
          this.#wake = undefined;
          resolve();
        };
      });
    }
  }
}
