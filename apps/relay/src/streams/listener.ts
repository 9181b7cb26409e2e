import type { Followed, Following, Position } from '@tabletop-relay/cluster';
import type { Channel } from '@tabletop-relay/contract';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RelayMetrics } from '../metrics.ts';
import type { Outbox } from '../sockets/outbox.ts';
import type { EventFilter } from './event-filter.ts';
import { formatEvent, formatId } from './sse-bytes.ts';
import type { Prepared } from './sse-bytes.ts';

export interface ListenerOptions {
  response: ServerResponse;
  clientId: string;
  channel: Channel;
  following: Following;
  filter: EventFilter | undefined;
  prepare: (followed: Followed) => Prepared;
  /** Stands in each event id where a ticket opened the stream. */
  proof: string;
  queueBytes: number;
  outbox: Outbox;
  metrics: Pick<RelayMetrics, 'eventsSent' | 'eventsDropped'>;
}

/** Who lost a stream comes back after so long. */
const retryMs = 3_000;

/** One open stream: it writes what its caller asked for, and no more than the caller reads. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #response: ServerResponse;
  readonly #socket: Socket;
  #position: Position;
  /** Events left out because the caller reads slowly. */
  #dropped = 0;

  /** The head of the answer must have been written. */
  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#response = options.response;
    this.#socket = options.response.socket as Socket;
    this.#position = options.following.position;
  }

  /** Says where the stream stands, sends what was missed, and then what comes. */
  start(): void {
    const { following, clientId, channel } = this.#options;
    const { recovered, missed, isOnline } = following;
    const facts = { clientId, channel };
    this.#write(`retry: ${retryMs}\n${this.#id()}${formatEvent('connected', { ...facts, recovered })}`);
    if (!recovered && !isOnline) {
      this.#write(formatEvent('client-offline', { ...facts, timestamp: Date.now() }));
    }
    for (const message of missed) this.#take(message);
    following.start((message) => this.#take(message));
  }

  /** A comment for the proxies on the way. Its id says how far the stream has come, also where the filter let nothing pass. */
  keepAlive(): void {
    if (this.#socket.writableLength === 0) this.#write(`${this.#id()}: keep-alive\n\n`);
  }

  /** Ends the stream; the caller comes back after `afterMs`. */
  end(afterMs = retryMs): void {
    this.#options.following.stop();
    if (this.#response.writableEnded || this.#socket.destroyed) return;
    this.#write(`retry: ${Math.round(afterMs)}\n\n`);
    this.#response.end();
  }

  #take(followed: Followed): void {
    const { filter, prepare, proof, metrics } = this.#options;
    const { gen, n } = followed;
    this.#position = { gen, n };
    const prepared = prepare(followed);
    if (filter && prepared.parsed) {
      const { name, data } = prepared.parsed();
      if (!filter(name, data)) return;
    }
    if (this.#isSlow()) {
      this.#dropped += followed.kind === 'gap' ? (followed.dropped ?? 1) : 1;
      metrics.eventsDropped.labels('slow_listener').inc();
      return;
    }
    if (proof === '') this.#write(prepared.whole);
    else {
      this.#write(this.#id());
      this.#write(prepared.body);
    }
    metrics.eventsSent.inc();
  }

  /** Whether too much waits already. When the caller has caught up it is told how much was left out. */
  #isSlow(): boolean {
    if (this.#dropped > 0) return true;
    if (this.#socket.writableLength < this.#options.queueBytes) return false;
    this.#socket.once('drain', () => this.#tellDropped());
    return true;
  }

  #tellDropped(): void {
    const { clientId, channel } = this.#options;
    const dropped = this.#dropped;
    this.#dropped = 0;
    if (dropped > 0) this.#write(this.#id() + formatEvent('gap', { clientId, channel, dropped }));
  }

  #id(): string {
    return formatId(this.#position, this.#options.proof);
  }

  #write(bytes: string | Buffer): void {
    if (this.#response.writableEnded || this.#socket.destroyed) return;
    this.#options.outbox.hold(this.#socket);
    this.#response.write(bytes);
  }
}
