import { callerCloseCodes, maxRequestIdLength } from '@tabletop-relay/contract';
import type { CallerClose, CallerRelayFrame } from '@tabletop-relay/contract';
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { Sender } from '../endpoint-handler.ts';
import type { Principal } from '../keys/authenticate.ts';
import type { Outbox } from '../sockets/outbox.ts';
import type { OpenedListener } from '../streams/open-listener.ts';
import type { Subscription } from '../streams/subscription.ts';

/** A caller that connects to `/ws/api`. The values are copied, so that the request can be garbage-collected. */
export interface CallerVisitor {
  /** The IP address without the port. */
  address: string;
  sender: Sender;
  /** The world that the address names, for messages that name none. */
  clientId: string | undefined;
  /** The relay's address, as links in a problem name it. */
  publicUrl: string;
}

/** A subscription of a socket. */
export interface OpenSubscription extends OpenedListener {
  subscription: Subscription;
}

/** Answers that wait to be read are given up above this: nobody who reads lets as much pile up. */
const mostUnreadAnswers = 32 * 1024 * 1024;
/** A caller that reads more slowly than this on average is cut off, as over HTTP. */
const leastBytesPerSecond = 64 * 1024;

/** What the network takes at once is no sign of a slow reader. */
const largeBytes = 64 * 1024;

const separator = Buffer.from(',');

/** The socket of one caller, from its handshake to its end. */
export class CallerSocket {
  readonly ws: WebSocket;
  readonly transport: Socket;
  readonly visitor: CallerVisitor;
  /** As it was when the socket was let in; undefined until then. */
  admitted: { principal: Principal; keyHash: string } | undefined;
  /** Calls under way, by the caller's ids. */
  readonly calls = new Map<string, AbortController>();
  readonly subscriptions = new Map<string, OpenSubscription>();
  /** Takes what comes; set anew as the socket is let in. */
  receive: (data: Buffer, isBinary: boolean) => void = () => {};
  /** Messages that were taken and are not answered yet. */
  busy = 0;
  /** Rounds of the heartbeat in which nothing came. */
  quietRounds = 0;
  /** Since it was told to go, it takes no new calls. */
  isLeaving = false;
  /** Bytes of events that were sent and not read. */
  eventBytes = 0;
  readonly #outbox: Outbox;
  readonly #readMs: number;
  #answerBytes = 0;
  /** Until when each answer must be read that waits, the oldest first, on the monotonic clock. */
  #deadlines: number[] = [];
  #onEventsRead: (() => void)[] = [];
  #subscribed = 0;

  constructor(ws: WebSocket, transport: Socket, visitor: CallerVisitor, outbox: Outbox, readMs: number) {
    this.ws = ws;
    this.transport = transport;
    this.visitor = visitor;
    this.#outbox = outbox;
    this.#readMs = readMs;
    transport.on('timeout', () => this.terminate());
  }

  get isOpen(): boolean {
    return this.ws.readyState === this.ws.OPEN;
  }

  nextSubscriptionId(): string {
    let id: string;
    do id = String(++this.#subscribed);
    while (this.subscriptions.has(id));
    return id;
  }

  send(frame: CallerRelayFrame): void {
    this.sendAnswer([Buffer.from(JSON.stringify(frame))]);
  }

  /** Sends a frame that answers the caller, in parts. `release` runs when it was read, or never will be. */
  sendAnswer(parts: readonly Buffer[], release?: () => void): void {
    const [only] = parts;
    const bytes = parts.length === 1 && only ? only : Buffer.concat(parts);
    const { length } = bytes;
    // While it closes the code must still arrive: it says whether to come back.
    if (!this.isOpen) return release?.();
    if (this.#answerBytes + length > mostUnreadAnswers) {
      release?.();
      return this.terminate();
    }
    this.#answerBytes += length;
    this.#deadlines.push(
      performance.now() + this.#readMs + (this.ws.bufferedAmount + length) / (leastBytesPerSecond / 1_000),
    );
    this.#write(bytes, () => {
      this.#answerBytes -= length;
      this.#deadlines.shift();
      if (this.#deadlines.length === 0 && this.transport.timeout) this.transport.setTimeout(0);
      release?.();
    });
    // Counts as long as nothing at all is read; the deadlines are for who reads a little.
    if (this.ws.bufferedAmount > largeBytes) this.transport.setTimeout(this.#readMs);
  }

  /** Sends an event of a subscription: what stands before its data, and the data. */
  sendEvent(head: string, json: Buffer | string): void {
    if (!this.isOpen) return;
    const bytes = Buffer.concat([
      Buffer.from(head),
      typeof json === 'string' ? Buffer.from(json) : json,
      endOfObject,
    ]);
    this.eventBytes += bytes.length;
    this.#write(bytes, () => {
      this.eventBytes -= bytes.length;
      if (this.eventBytes > 0) return;
      const waiting = this.#onEventsRead.splice(0);
      for (const then of waiting) then();
    });
  }

  /** Runs it when no event waits to be read, or the socket has ended. */
  whenEventsRead(then: () => void): void {
    if (this.eventBytes === 0 || !this.isOpen) setImmediate(then);
    else this.#onEventsRead.push(then);
  }

  #write(bytes: Buffer, done: () => void): void {
    this.#outbox.cork(this.transport);
    this.ws.send(bytes, { binary: false }, done);
  }

  /** Whether an answer waits for longer than any caller takes that reads. */
  isStuck(now: number): boolean {
    const [oldest] = this.#deadlines;
    return oldest !== undefined && oldest < now;
  }

  /** Ends the socket with a last word. */
  close(why: CallerClose, reason: string = callerCloseCodes[why].meaning): void {
    if (!this.isOpen) return;
    // Closing goes on reading for a while: what comes then is nobody's, and must not be kept.
    this.receive = () => {};
    this.ws.resume();
    // 123 bytes are what a close frame holds.
    this.ws.close(
      callerCloseCodes[why].code,
      Buffer.from(reason).subarray(0, 120).toString().replace(/�$/, ''),
    );
  }

  terminate(): void {
    this.ws.terminate();
  }

  endSubscription(id: string): void {
    const open = this.subscriptions.get(id);
    if (!open) return;
    this.subscriptions.delete(id);
    // Whoever still has it in hand, to end it, must not end the one that took its place.
    open.listener.cut();
    open.close();
  }

  /** What has begun for this caller ends. */
  end(): void {
    for (const call of this.calls.values()) call.abort();
    for (const id of this.subscriptions.keys()) this.endSubscription(id);
    this.calls.clear();
    for (const then of this.#onEventsRead.splice(0)) then();
  }
}

const endOfObject = Buffer.from('}');

/** Whether a text may be an id that a caller gives. */
export const isId = (given: unknown): given is string =>
  typeof given === 'string' && given !== '' && given.length <= maxRequestIdLength;

/** The members that stand first in a frame, and others behind them. */
export function frameOf(first: object, members: readonly Buffer[]): Buffer[] {
  const head = Buffer.from(JSON.stringify(first).slice(0, -1));
  return members.length === 0 ? [head, endOfObject] : [head, separator, ...members, endOfObject];
}
