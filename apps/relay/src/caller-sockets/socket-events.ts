import type { Position } from '@tabletop-relay/cluster';
import { callerEventTypes } from '@tabletop-relay/contract';
import type { Channel, StreamEventData, StreamEventName } from '@tabletop-relay/contract';
import { idOf, partsOf } from '../streams/events/sse-bytes.ts';
import type { Prepared } from '../streams/events/sse-bytes.ts';
import type { EventWriter } from '../streams/sse-writer.ts';
import type { CallerSocket } from './caller-socket.ts';

interface Facts {
  subscriptionId: string;
  /** As the caller named it. */
  channel: string;
  clientId: string;
}

export interface SocketEventsOptions {
  socket: CallerSocket;
  facts: Facts;
  of: Channel;
  /** What `subscribed` says beside where the stream stands. */
  answer: { requestId?: string; ignored?: string[] };
  /** The relay has ended the subscription. */
  onEnd: () => void;
}

/** Where an ended subscription may be asked for again at once. */
const soonMs = 1_000;

/** The events of one subscription, on a socket that others share. */
export class SocketEvents implements EventWriter {
  readonly #options: SocketEventsOptions;
  #lastId = '';
  #isEnded = false;

  constructor(options: SocketEventsOptions) {
    this.#options = options;
  }

  /** Of all subscriptions of the socket: they share the way. */
  get waitingBytes(): number {
    return this.#options.socket.eventBytes;
  }

  get isCut(): boolean {
    return this.#isEnded || !this.#options.socket.isOpen;
  }

  tell<E extends StreamEventName>(event: E, data: StreamEventData<E>, at?: Position): void {
    const { socket, facts, answer } = this.#options;
    if (at) this.#lastId = idOf(at);
    if (event === 'connected') {
      const { recovered } = data as StreamEventData<'connected'>;
      return socket.send({ ...answer, type: 'subscribed', ...facts, id: this.#lastId, recovered });
    }
    this.#write(event, event, JSON.stringify(data));
  }

  pass(prepared: Prepared, at: Position): void {
    this.#lastId = idOf(at);
    const { name, json } = partsOf(prepared);
    this.#write(prepared.parsed ? callerEventTypes[this.#options.of] : name, name, json);
  }

  #write(type: string, event: string, json: Buffer | string): void {
    if (this.#isEnded) return;
    const { socket, facts } = this.#options;
    const head = JSON.stringify({ type, ...facts, id: this.#lastId, event });
    socket.sendEvent(`${head.slice(0, -1)},"data":`, json);
  }

  /** Only where the stream has gone on without an event that passed: the socket has a heartbeat of its own. */
  keepAlive(at: Position): void {
    const { socket, facts } = this.#options;
    const id = idOf(at);
    if (id === this.#lastId || this.isCut) return;
    this.#lastId = id;
    socket.send({ type: 'position', ...facts, id });
  }

  whenRead(then: () => void): void {
    this.#options.socket.whenEventsRead(then);
  }

  end(afterMs = soonMs): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const { socket, facts, onEnd } = this.#options;
    onEnd();
    if (socket.isLeaving) return;
    socket.send({ type: 'unsubscribed', ...facts, id: this.#lastId, retryAfterMs: Math.round(afterMs) });
  }

  cut(): void {
    this.#isEnded = true;
  }
}
