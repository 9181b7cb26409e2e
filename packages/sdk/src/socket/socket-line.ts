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

/** A connection that the relay has accepted. */
interface Connection {
  /** Why it ended. */
  lost: Promise<RelayError>;
}

const firstWaitMs = 1_000;
const longestWaitMs = 30_000;

/** The way to the relay over any number of connections, one at a time. */
export class SocketLine {
  readonly #options: LineOptions;
  readonly #questions = new Map<string, Question>();
  readonly #subscribers = new Map<string, Subscriber>();
  readonly #end = Promise.withResolvers<RelayError | undefined>();
  /** The connection on which messages go; undefined while there is none. */
  #socket: SocketLike | undefined;
  /** Resolves when there is a connection again, rejects when there will be none. */
  #opened = Promise.withResolvers<void>();
  #comeBackMs: number | undefined;
  #isLeaving = false;
  #isEnded = false;
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
    return this.#isEnded;
  }

  nextId(): string {
    return `${++this.#ids}`;
  }

  /** Connects for the first time, and comes back by itself from then on. Rejects with the `RelayError` of a failure. */
  async open(): Promise<void> {
    const { lost } = await this.#connect();
    void this.#keep(lost);
  }

  close(): void {
    this.#finish(undefined);
    this.#socket?.close();
  }

  /** Sends a message on the next connection that there is, and resolves with its answer. Rejects with a `RelayError`, or the signal's reason. */
  async ask(message: SocketMessage, { timeoutMs, signal, isRepeatable }: AskOptions): Promise<SocketMessage> {
    signal?.throwIfAborted();
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeoutMs);
    const given = signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal;
    const requestId = this.nextId();
    const { promise, resolve, reject } = Promise.withResolvers<SocketMessage>();
    let isSent = false;
    const give = () => {
      if (isSent && message.type !== 'subscribe') this.#send({ type: 'cancel', requestId });
      if (signal?.aborted) return reject(signal.reason as Error);
      const detail = `No answer within ${timeoutMs} ms.`;
      const told = isSent
        ? { outcome: 'unknown' as const, retryable: isRepeatable }
        : { outcome: 'not_sent' as const, retryable: true };
      reject(new RelayError({ code: 'timeout', detail, ...told }));
    };
    given.addEventListener('abort', give, { once: true });
    const fail = ({ code, detail, retryable }: RelayError) =>
      reject(new RelayError({ code, detail, retryable, outcome: 'not_sent' }));
    const go = () => {
      if (given.aborted) return;
      this.#questions.set(requestId, {
        take: resolve,
        fail: (error) =>
          reject(
            new RelayError({
              code: error.code,
              detail: error.detail,
              outcome: 'unknown',
              retryable: isRepeatable,
            }),
          ),
      });
      isSent = this.#send({ ...message, requestId });
      if (!isSent) this.#opened.promise.then(go, fail);
    };
    this.#whenOpen().then(go, fail);
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
    this.#send({ type: 'unsubscribe', subscriptionId: id });
  }

  #whenOpen(): Promise<void> {
    return this.#socket && !this.#isLeaving ? Promise.resolve() : this.#opened.promise;
  }

  /** False where there is no connection. */
  #send(message: SocketMessage): boolean {
    if (!this.#socket || (this.#isLeaving && message.type !== 'cancel')) return false;
    try {
      this.#socket.send(JSON.stringify(message));
      return true;
    } catch {
      return false;
    }
  }

  /** Makes one connection; resolves when the relay has accepted it, with what tells of its end. */
  #connect(): Promise<Connection> {
    const { url, apiKey, WebSocket, silentMs } = this.#options;
    const accepted = Promise.withResolvers<Connection>();
    const lost = Promise.withResolvers<RelayError>();
    const socket = new WebSocket(socketUrl(url));
    let refusal: RelayError | undefined;
    let heardAt = Date.now();
    const end = (error: RelayError) => {
      clearInterval(watch);
      if (this.#socket === socket) this.#socket = undefined;
      accepted.reject(error);
      lost.resolve(error);
    };
    const watch = setInterval(() => {
      const silence = Date.now() - heardAt;
      if (silence > silentMs) {
        socket.close();
        end(interrupted(`The relay was silent for ${silentMs} ms.`));
      } else if (silence > silentMs / 3 && this.#socket === socket) this.#send({ type: 'ping' });
    }, silentMs / 8);
    socket.addEventListener('open', () => socket.send(JSON.stringify({ type: 'auth', token: apiKey })));
    socket.addEventListener('error', () => {});
    socket.addEventListener('close', ({ code, reason }) => end(refusal ?? closedBy(code, reason)));
    socket.addEventListener('message', ({ data }) => {
      heardAt = Date.now();
      const message = parse(data);
      if (!message) return this.#failUnreadable(data);
      if (this.#socket === socket) return this.#take(message);
      if (message.type === 'error') refusal = refusedBy(message);
      if (message.type !== 'connected' || this.#isEnded) return;
      this.#socket = socket;
      this.#isLeaving = false;
      this.#comeBackMs = undefined;
      accepted.resolve({ lost: lost.promise });
      this.#opened.resolve();
      this.#opened = Promise.withResolvers();
      this.#opened.promise.catch(() => {});
    });
    return accepted.promise;
  }

  /** Comes back as long as there is hope. */
  async #keep(lost: Promise<RelayError>): Promise<void> {
    let failures = 0;
    for (;;) {
      let error = await lost;
      for (const { fail } of this.#questions.values()) fail(error);
      for (const subscriber of this.#subscribers.values()) subscriber.lost();
      for (;;) {
        if (this.#isEnded) return;
        if (!error.retryable) return this.#finish(error);
        const backOffMs = Math.min(longestWaitMs, firstWaitMs * 2 ** failures) * (0.75 + Math.random() / 2);
        const waitMs = this.#comeBackMs ?? error.retryAfterMs ?? backOffMs;
        this.#comeBackMs = undefined;
        failures += 1;
        this.#options.onInterrupted?.(error, waitMs);
        await wait(waitMs);
        if (this.#isEnded) return;
        try {
          ({ lost } = await this.#connect());
          failures = 0;
          break;
        } catch (next) {
          error = next as RelayError;
        }
      }
    }
  }

  #finish(error: RelayError | undefined): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const told = error ?? new RelayError({ code: 'connection_failed', detail: 'The socket was closed.' });
    for (const { fail } of this.#questions.values()) fail(told);
    this.#opened.reject(told);
    this.#end.resolve(error);
    for (const subscriber of this.#subscribers.values()) subscriber.lost();
  }

  #take(message: SocketMessage): void {
    const { type, requestId, subscriptionId, retryAfterMs } = message;
    if (type === 'going-away') {
      this.#isLeaving = true;
      this.#comeBackMs = retryAfterMs as number;
      return;
    }
    const question = typeof requestId === 'string' ? this.#questions.get(requestId) : undefined;
    if (question) question.take(message);
    else if (typeof subscriptionId === 'string') this.#subscribers.get(subscriptionId)?.take(message);
  }

  /** An answer that is no JSON, of a world that answered none, still names its question. */
  #failUnreadable(data: unknown): void {
    const head = typeof data === 'string' ? data.slice(0, 500) : '';
    const requestId = /^\{"type":"[^"\\]*","requestId":"(\d+)"/.exec(head)?.[1];
    const detail = 'The answer is no JSON.';
    this.#questions.get(requestId ?? '')?.fail(new RelayError({ code: 'bad_answer', detail }));
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
