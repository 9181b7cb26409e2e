import { callerRetryFor } from '@tabletop-relay/contract';
import type { Problem } from '@tabletop-relay/contract/types';
import { RelayError } from '../requests/relay-error.ts';
import { wait } from '../requests/retries.ts';

/** What the SDK uses of a WebSocket: those of browsers and of Node, and that of `ws`. */
export interface SocketLike {
  send(text: string): void;
  close(): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { code: number; reason: string }) => void): void;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
}

export interface SocketMessage {
  type: string;
  [name: string]: unknown;
}

export interface LineOptions {
  url: string;
  apiKey: string;
  WebSocket: new (url: string) => SocketLike;
  /** After so long without a sign of life the connection is given up. */
  silentMs: number;
  onInterrupted: ((error: RelayError, retryInMs: number) => void) | undefined;
}

/** One question and its answer. */
interface Question {
  /** Over which it was asked, and is answered. */
  socket: SocketLike;
  take(message: SocketMessage): void;
  fail(error: RelayError): void;
}

export interface AskOptions {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Whether it may be repeated where nobody knows what became of it. */
  isRepeatable: boolean;
}

/** Told of what belongs to its subscription. */
export interface Subscriber {
  take(message: SocketMessage): void;
  /** The connection was lost; another may follow. */
  lost(): void;
}

/** Why no more is sent over a connection, and after how long another may be made where the relay says so. */
interface Ending {
  error: RelayError;
  retryInMs?: number | undefined;
}

/** A connection that the relay has accepted. */
interface Connection {
  /** It was lost, or its instance is going away and answers what was asked. */
  over: Promise<Ending>;
}

const firstWaitMs = 1_000;
/** A connection that lasted as long is no longer a failure in a row. */
const longestWaitMs = 30_000;

/** The way to the relay over any number of connections: one at a time, and those of instances that go away while they answer. */
export class SocketLine {
  readonly #options: LineOptions;
  readonly #questions = new Map<string, Question>();
  readonly #subscribers = new Map<string, Subscriber>();
  readonly #end = Promise.withResolvers<RelayError | undefined>();
  readonly #closing = new AbortController();
  /** All connections that are open or being made, and what ends each. */
  readonly #sockets = new Map<SocketLike, (error: RelayError) => void>();
  /** The connection on which messages go; undefined while there is none. */
  #socket: SocketLike | undefined;
  /** Resolves when there is a connection again, rejects when there will be none. */
  #opened = Promise.withResolvers<void>();
  /** Aborted when a call waits for the next connection. */
  #wanted = new AbortController();
  #ids = 0;

  constructor(options: LineOptions) {
    this.#options = options;
    this.#opened.promise.catch(() => {});
  }

  /** Resolves when the line has ended: with the error for which it does not come back. */
  get ended(): Promise<RelayError | undefined> {
    return this.#end.promise;
  }

  get isEnded(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Aborted when the line has ended, with the error for whoever waits. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  nextId(): string {
    return `${++this.#ids}`;
  }

  /** Connects for the first time, and comes back by itself from then on. Rejects with the `RelayError` of a failure. */
  async open(): Promise<void> {
    const { over } = await this.#connect();
    // What the program's own function throws must not leave others waiting for ever.
    this.#keep(over).catch((cause: unknown) => {
      const detail = `The socket was not kept: ${cause instanceof Error ? cause.message : String(cause)}`;
      this.#finish(new RelayError({ code: 'connection_failed', detail, cause }));
    });
  }

  close(): void {
    this.#finish(undefined);
  }

  /** Sends a message on the next connection that there is, and resolves with its answer. Rejects with a `RelayError`, or the signal's reason. */
  async ask(message: SocketMessage, { timeoutMs, signal, isRepeatable }: AskOptions): Promise<SocketMessage> {
    signal?.throwIfAborted();
    const requestId = this.nextId();
    const text = JSON.stringify({ ...message, requestId });
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeoutMs);
    const given = signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal;
    const { promise, resolve, reject } = Promise.withResolvers<SocketMessage>();
    let sentOn: SocketLike | undefined;
    const give = () => {
      if (sentOn && message.type !== 'subscribe') send(sentOn, JSON.stringify({ type: 'cancel', requestId }));
      if (signal?.aborted) return reject(signal.reason as Error);
      const detail = `No answer within ${timeoutMs} ms.`;
      const told = sentOn
        ? { outcome: 'unknown' as const, retryable: isRepeatable }
        : { outcome: 'not_sent' as const, retryable: true };
      reject(new RelayError({ code: 'timeout', detail, ...told }));
    };
    given.addEventListener('abort', give, { once: true });
    const fail = ({ code, detail, retryable }: RelayError) =>
      reject(new RelayError({ code, detail, retryable, outcome: 'not_sent' }));
    const go = () => {
      if (given.aborted) return;
      const socket = this.#socket;
      if (!socket || !send(socket, text)) {
        this.#opened.promise.then(go, fail);
        return;
      }
      sentOn = socket;
      const lose = ({ code, detail }: RelayError) =>
        reject(new RelayError({ code, detail, outcome: 'unknown', retryable: isRepeatable }));
      this.#questions.set(requestId, { socket, take: resolve, fail: lose });
    };
    if (!this.#socket && message.type !== 'subscribe') this.#wanted.abort();
    (this.#socket ? Promise.resolve() : this.#opened.promise).then(go, fail);
    try {
      const answer = await promise;
      if (answer['error'] !== undefined) throw refusedBy(answer);
      return answer;
    } finally {
      clearTimeout(timer);
      given.removeEventListener('abort', give);
      this.#questions.delete(requestId);
    }
  }

  subscribe(id: string, subscriber: Subscriber): void {
    this.#subscribers.set(id, subscriber);
  }

  unsubscribe(id: string): void {
    this.#subscribers.delete(id);
    if (this.#socket) send(this.#socket, JSON.stringify({ type: 'unsubscribe', subscriptionId: id }));
  }

  /** Makes one connection; resolves when the relay has accepted it, with what tells of its end. */
  #connect(): Promise<Connection> {
    const { url, apiKey, WebSocket, silentMs } = this.#options;
    const accepted = Promise.withResolvers<Connection>();
    accepted.promise.catch(() => {});
    const over = Promise.withResolvers<Ending>();
    const socket = new WebSocket(socketUrl(url));
    let refusal: RelayError | undefined;
    let isAccepted = false;
    let heardAt = Date.now();
    const leave = (error: RelayError, retryInMs?: number) => {
      if (this.#socket === socket) {
        this.#socket = undefined;
        for (const subscriber of this.#subscribers.values()) subscriber.lost();
      }
      accepted.reject(error);
      over.resolve({ error, retryInMs });
    };
    const end = (error: RelayError) => {
      if (!this.#sockets.delete(socket)) return;
      clearInterval(watch);
      for (const question of this.#questions.values()) if (question.socket === socket) question.fail(error);
      leave(error);
    };
    const watch = setInterval(() => {
      const silence = Date.now() - heardAt;
      if (silence > silentMs) {
        socket.close();
        end(interrupted(`The relay was silent for ${silentMs} ms.`));
      } else if (silence > silentMs / 3 && isAccepted) send(socket, '{"type":"ping"}');
    }, silentMs / 8);
    this.#sockets.set(socket, end);
    socket.addEventListener('open', () => socket.send(JSON.stringify({ type: 'auth', token: apiKey })));
    socket.addEventListener('error', () => {});
    socket.addEventListener('close', ({ code, reason }) => end(refusal ?? closedBy(code, reason)));
    socket.addEventListener('message', ({ data }) => {
      // One that was given up may have more to say.
      if (!this.#sockets.has(socket)) return;
      heardAt = Date.now();
      const message = parse(data);
      if (!message) return this.#failUnreadable(data);
      const { type, retryAfterMs } = message;
      if (isAccepted && type === 'going-away')
        return leave(interrupted('The instance is going away.'), retryAfterMs as number | undefined);
      if (isAccepted) return this.#take(message, socket);
      if (type === 'error') refusal = refusedBy(message);
      if (type !== 'connected') return;
      isAccepted = true;
      this.#socket = socket;
      accepted.resolve({ over: over.promise });
      const { resolve } = this.#opened;
      this.#opened = Promise.withResolvers();
      this.#opened.promise.catch(() => {});
      this.#wanted = new AbortController();
      resolve();
    });
    return accepted.promise;
  }

  /** Comes back as long as there is hope. */
  async #keep(over: Promise<Ending>): Promise<void> {
    let failures = 0;
    for (;;) {
      const since = Date.now();
      let { error, retryInMs } = await over;
      if (Date.now() - since >= longestWaitMs) failures = 0;
      for (;;) {
        if (this.isEnded) return;
        if (!error.retryable) return this.#finish(error);
        const backOffMs = Math.min(longestWaitMs, firstWaitMs * 2 ** failures) * (0.75 + Math.random() / 2);
        const waitMs = retryInMs ?? Math.max(backOffMs, error.retryAfterMs ?? 0);
        // An instance that goes away spreads who comes back over half a minute, for which no call should wait.
        const sooner = retryInMs === undefined ? [] : [this.#wanted.signal];
        retryInMs = undefined;
        failures += 1;
        this.#options.onInterrupted?.(error, waitMs);
        await wait(waitMs, AbortSignal.any([this.signal, ...sooner])).catch(() => {});
        if (this.isEnded) return;
        try {
          ({ over } = await this.#connect());
          break;
        } catch (next) {
          error = next as RelayError;
        }
      }
    }
  }

  #finish(error: RelayError | undefined): void {
    if (this.isEnded) return;
    const told = error ?? new RelayError({ code: 'connection_failed', detail: 'The socket was closed.' });
    this.#closing.abort(told);
    this.#end.resolve(error);
    this.#opened.reject(told);
    for (const [socket, end] of this.#sockets) {
      socket.close();
      end(told);
    }
  }

  #take(message: SocketMessage, socket: SocketLike): void {
    const { requestId, subscriptionId } = message;
    // An instance that goes away has no more to say of events: they go on elsewhere, behind the last one that came from there.
    if (typeof subscriptionId === 'string' && socket === this.#socket)
      this.#subscribers.get(subscriptionId)?.take(message);
    if (typeof requestId === 'string') this.#questions.get(requestId)?.take(message);
  }

  /** An answer that is no JSON, of a world that answered none, still names its question. */
  #failUnreadable(data: unknown): void {
    const head = typeof data === 'string' ? data.slice(0, 500) : '';
    const requestId = /^\{"type":"[^"\\]*","requestId":"(\d+)"/.exec(head)?.[1];
    const detail = 'The answer is no JSON.';
    this.#questions.get(requestId ?? '')?.fail(new RelayError({ code: 'bad_answer', detail }));
  }
}

/** False where there is no connection any more. */
function send(socket: SocketLike, text: string): boolean {
  try {
    socket.send(text);
    return true;
  } catch {
    return false;
  }
}

/** On a page of the relay its address may be a path. */
function socketUrl(relayUrl: string): string {
  const path = `${relayUrl.replace(/\/+$/, '')}/ws/api`;
  const base = (globalThis as { location?: { href: string } }).location?.href;
  return new URL(path, base).href.replace(/^http/, 'ws');
}

function parse(data: unknown): SocketMessage | undefined {
  try {
    return JSON.parse(String(data)) as SocketMessage;
  } catch {
    return undefined;
  }
}

/** What a message of the relay says of a failure. */
function refusedBy({ error, problem, retryAfterMs, requestId }: SocketMessage): RelayError {
  const told = problem as Problem | undefined;
  if (typeof told?.code !== 'string')
    return new RelayError({ code: 'bad_answer', detail: String(error), outcome: 'unknown' });
  const { code, detail, status, retryable, outcome, traceId } = told;
  return new RelayError({
    code, status, detail, retryable, outcome, traceId,
    requestId: told.requestId ?? (requestId as string | undefined),
    retryAfterMs: retryAfterMs as number | undefined,
    problem: told,
  }); // prettier-ignore
}

function closedBy(code: number, reason: string): RelayError {
  const detail = `The socket was closed with ${code}${reason ? `: ${reason}` : ''}.`;
  return new RelayError({ code: 'connection_failed', detail, retryable: callerRetryFor(code) !== 'no' });
}

const interrupted = (detail: string): RelayError =>
  new RelayError({ code: 'connection_failed', detail, retryable: true });
