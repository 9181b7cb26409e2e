import type { FastifyReply } from 'fastify';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { invalidFields } from '../problem.ts';
import type { Outbox } from '../sockets/outbox.ts';

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

/** The text of an event without its id. */
export const eventText = (event: string, data: unknown): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** An open answer of server-sent events. What comes after its end is not written. */
export class SseWriter {
  readonly #response: ServerResponse;
  readonly #socket: Socket;
  readonly #outbox: Outbox;

  /** Writes the head of the answer, with what `reply` has for it: what follows goes to the socket as it is. */
  constructor(reply: FastifyReply, outbox: Outbox) {
    const { raw } = reply;
    raw.removeHeader('transfer-encoding');
    reply.headers(eventStreamHeaders).hijack();
    raw.writeHead(raw.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
    raw.flushHeaders();
    this.#response = raw;
    this.#socket = raw.socket as Socket;
    this.#outbox = outbox;
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
    this.#outbox.hold(this.#socket);
    this.#socket.write(bytes, then);
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
