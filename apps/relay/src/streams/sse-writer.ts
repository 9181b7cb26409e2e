import type { Position } from '@tabletop-relay/cluster';
import type { StreamEventData, StreamEventName } from '@tabletop-relay/contract';
import type { FastifyReply } from 'fastify';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { invalidFields } from '../problem.ts';
import type { Outbox } from '../sockets/outbox.ts';
import { formatEvent, formatId } from './events/sse-bytes.ts';
import type { Prepared } from './events/sse-bytes.ts';

/** Who lost a stream comes back after so long. */
export const retryMs = 3_000;
export const keepAliveMs = 15_000;

/**
 * Without a length and without chunks the body is what comes until the connection ends. So an event is one write of bytes that
 * all its listeners share, and in chunks it would be four for each.
 */
export const eventStreamHeaders = {
  connection: 'close',
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  // nginx would hold events back.
  'x-accel-buffering': 'no',
};

/** Throws `invalid_request` for a request that takes no events. */
export function refuseOtherAnswers(accept = '*/*'): void {
  if (/text\/event-stream|text\/\*|\*\/\*/i.test(accept)) return;
  throw invalidFields([{ field: 'accept', message: 'must allow text/event-stream' }]);
}

/** The way of a listener's events to its caller. What comes after the end is not written. */
export interface EventWriter {
  /** Bytes of events that the caller has not read. */
  readonly waitingBytes: number;
  readonly isCut: boolean;
  /** An event of the relay's own; `at` is where the stream stands, for an event from which the caller may resume. */
  tell<E extends StreamEventName>(event: E, data: StreamEventData<E>, at?: Position): void;
  /** A message of the stream. */
  pass(prepared: Prepared, at: Position): void;
  /** Says how far the stream has come, where nothing else says so. */
  keepAlive(at: Position): void;
  /** Runs it when all that waits has gone out. */
  whenRead(then: () => void): void;
  /** The caller comes back after `afterMs`. */
  end(afterMs?: number): void;
  /** Ends the connection without a last word. */
  cut(): void;
}

/** An open answer of server-sent events. What comes after its end is not written. */
export class SseWriter implements EventWriter {
  readonly #response: ServerResponse;
  readonly #socket: Socket;
  readonly #outbox: Outbox;
  readonly #proof: string;

  /**
   * Writes the head of the answer, with what `reply` has for it: what follows goes to the socket as it is. `proof` stands in each
   * event id where a ticket opened the stream.
   */
  constructor(reply: FastifyReply, outbox: Outbox, proof = '') {
    const { raw } = reply;
    raw.removeHeader('transfer-encoding');
    reply.headers(eventStreamHeaders).hijack();
    raw.writeHead(raw.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
    raw.flushHeaders();
    this.#response = raw;
    this.#socket = raw.socket as Socket;
    this.#outbox = outbox;
    this.#proof = proof;
  }

  /** Bytes that the caller has not read. */
  get waitingBytes(): number {
    return this.#socket.writableLength;
  }

  get isCut(): boolean {
    return this.#socket.destroyed;
  }

  /** `then` runs when all that waits has gone out. `drain` says so only after more waited than Node's own mark, 64 KiB. */
  write(bytes: string | Buffer, then?: () => void): void {
    if (this.#response.writableEnded || this.#socket.destroyed) return;
    this.#outbox.cork(this.#socket);
    this.#socket.write(bytes, then);
  }

  tell<E extends StreamEventName>(event: E, data: StreamEventData<E>, at?: Position): void {
    const retry = event === 'connected' ? `retry: ${retryMs}\n` : '';
    this.write(retry + (at ? formatId(at, this.#proof) : '') + formatEvent(event, data));
  }

  pass({ whole, body }: Prepared, at: Position): void {
    if (this.#proof === '') return this.write(whole);
    this.write(formatId(at, this.#proof));
    this.write(body);
  }

  /** A comment for the proxies on the way. */
  keepAlive(at: Position): void {
    this.write(`${formatId(at, this.#proof)}: keep-alive\n\n`);
  }

  whenRead(then: () => void): void {
    this.write('', then);
  }

  /** The caller comes back after `afterMs`. */
  end(afterMs = retryMs): void {
    if (this.#response.writableEnded || this.#socket.destroyed) return;
    this.write(`retry: ${Math.round(afterMs)}\n\n`);
    this.#response.end();
  }

  /** Ends the connection without a last word. */
  cut(): void {
    this.#socket.destroy();
  }
}
