import type { Operation, RelayFrame, WorldMetadata } from '@tabletop-relay/contract';
import { addAbortListener } from 'node:events';
import type { RelayMetrics } from '../metrics.ts';
import { ProblemError } from '../problem.ts';
import { SentKeys } from './replies/sent-keys.ts';
import type { KeyedSending } from './replies/sent-keys.ts';
import { settle, smallReplyBytes } from './replies/settle-reply.ts';
import type { AwaitedReply, ReplySocket, WorldReply } from './replies/settle-reply.ts';

/** The socket as its calls use it. */
export interface CallSocket extends ReplySocket {
  readonly isOpen: boolean;
  /** Whether the client is here, and this instance may act for it. */
  readonly mayAct: boolean;
  /** Bytes that were sent and that the module has not read yet. */
  readonly queuedBytes: number;
  sendText(text: string): void;
  send(frame: RelayFrame): void;
}

export interface CallBounds {
  /** Calls in flight per client; above it callers get `overloaded`. */
  callsInFlight: number;
  /** Bytes that may wait in the socket's send queue before commands are refused. */
  sendQueueBytes: number;
  /** Bytes of large replies that may be expected from one client; above it callers get `overloaded`. */
  replyBytes: number;
}

export interface PendingCallsContext {
  limits: CallBounds;
  /** Of the time of a call the rest is the relay's: `relay_call_seconds`. */
  metrics: Pick<RelayMetrics, 'worldSeconds'>;
}

/** Who waits for the reply of a call. */
export interface Caller {
  /** The key that asks, where it is one. */
  keyId?: string | undefined;
  /** What its caller may repeat it by. */
  keyed?: KeyedSending | undefined;
  /** Aborted when nobody waits any more. */
  signal?: AbortSignal | undefined;
}

const hungUp = (fields: { requestId?: string } = {}) =>
  new ProblemError('client_timeout', 'The caller hung up.', fields);

/** A call that waited until less is left is refused: sent, it would most likely end in a time-out, and nobody would know whether it ran. */
const leastTimeMs = 1_000;

/**
 * The calls in flight on one socket. Each socket keeps its own ids, so a reply can only answer a call of the same socket.
 * An id is used once for each socket, so a late reply answers no other call.
 */
export class PendingCalls {
  readonly #socket: CallSocket;
  readonly #context: PendingCallsContext;
  /** Those that were sent. */
  readonly #byId = new Map<string, PendingCall>();
  /**
   * By operation, those that wait for the module's first reply to it. Such a line stands only behind calls that were sent,
   * and goes on when one of these ends, by whatever cause.
   */
  readonly #waiting = new Map<string, Set<PendingCall>>();
  readonly #expected = new ExpectedReplies();
  readonly sentKeys = new SentKeys();
  #lastMs = 0;
  #idle: (() => void) | undefined;

  constructor(socket: CallSocket, context: PendingCallsContext) {
    this.#socket = socket;
    this.#context = context;
  }

  get size(): number {
    let { size } = this.#byId;
    for (const line of this.#waiting.values()) size += line.size;
    return size;
  }

  /**
   * Sends one command and waits for its reply. Rejects with the problem to tell: one that carries the call's `requestId` where the
   * command was sent. When the signal is aborted, the module gets `cancel` and a late reply is dropped.
   *
   * Of an operation that the module has not answered yet, only some calls are sent. The others wait, because nothing tells
   * how large the replies are. With the first reply they are sent, or rejected as `overloaded`: nothing was sent.
   * @param fieldsJson the command's parameters as the text of a JSON object
   */
  async call(
    operation: Operation,
    fieldsJson: string,
    budgetMs: number,
    { keyId, keyed, signal }: Caller = {},
  ): Promise<WorldReply> {
    if (signal?.aborted) throw hungUp();
    this.#refuseWhenBusy(operation);
    refuseForeignSystem(this.#socket, operation);
    const requestId = this.#nextId(operation.name);
    const head = `{"type":"${operation.name}","requestId":"${requestId}"`;
    const text = fieldsJson === '{}' ? `${head}}` : `${head},${fieldsJson.slice(1)}`;
    const call = new PendingCall(requestId, operation, keyId, keyed);
    // After a long turn of the event loop a timer fires before the sockets are read, and the reply may be there.
    call.deadline = setTimeout(() => setImmediate(() => this.#expire(call)), budgetMs);
    if (this.#expected.areUnknownOf(operation.name)) this.#wait(call, text, budgetMs);
    else this.#send(call, text);
    const listening = signal && addAbortListener(signal, () => this.#abandon(call));
    try {
      return await call.reply;
    } finally {
      listening?.[Symbol.dispose]();
    }
  }

  /** Settles the call that a frame answers. Returns false if no call waits for it. */
  receiveReply(frame: Record<string, unknown>, body: Buffer): boolean {
    const call = typeof frame['requestId'] === 'string' ? this.get(frame['requestId']) : undefined;
    if (!call) return false;
    this.#expected.learn(call.operation.name, body.length);
    this.take(call.requestId);
    settle(call, frame, body, this.#socket);
    return true;
  }

  get(requestId: string): AwaitedReply | undefined {
    return this.#byId.get(requestId);
  }

  /** Removes the call and returns it. The caller of this method must settle it. */
  take(requestId: string): AwaitedReply | undefined {
    const call = this.#byId.get(requestId);
    if (!call) return undefined;
    this.#byId.delete(requestId);
    clearTimeout(call.deadline);
    const worldMs = call.stop();
    const { worldSeconds } = this.#context.metrics;
    if (worldMs !== undefined) worldSeconds.labels(call.operation.name).observe(worldMs / 1_000);
    this.#expected.end(call.operation.name);
    this.#goOn(call.operation.name);
    if (this.#byId.size === 0) this.#idle?.();
    return call;
  }

  /** Resolves when no call is in flight. */
  whenIdle(): Promise<void> {
    if (this.#byId.size === 0) return Promise.resolve();
    return new Promise((resolve) => (this.#idle = resolve));
  }

  /**
   * Fails all calls, where the connection is closed for what the world sent. Nobody can tell which call it would have answered, and that
   * one would end the connection again: so none may be repeated as it is.
   */
  endFor(what: string): void {
    const detail = `The world ${what}, and its connection was closed. Where that was the answer to this call, ask for less.`;
    this.failAll(detail, { retryable: false });
  }

  /** Fails all calls at once. The world may have run their commands or not. */
  failAll(detail: string, more: { retryable?: false } = {}): void {
    // A call that ends may let another one be sent, which this loop then reaches too.
    for (const call of this.#byId.values()) {
      const { requestId } = call;
      this.take(requestId);
      call.reject(new ProblemError('client_lost', detail, { requestId, ...more }));
    }
  }

  /** Whether calls of this key wait to be sent. */
  isAwaitedBy(keyId: string): boolean {
    return [...this.#waiting.values()].some((line) => [...line].some((call) => call.keyId === keyId));
  }

  /** Rejects the calls that wait to be sent: the world was paused, or the key. Those that were sent end as they would. */
  refuseWaiting(problem: ProblemError, keyId?: string): void {
    for (const line of this.#waiting.values())
      for (const call of line) {
        if (keyId !== undefined && call.keyId !== keyId) continue;
        this.#takeUnsent(call);
        clearTimeout(call.deadline);
        call.reject(problem);
      }
  }

  /** An id `<operation>_<epoch ms>`. It has the current millisecond, or the next one that this socket has not used. */
  #nextId(operation: string): string {
    this.#lastMs = Math.max(Date.now(), this.#lastMs + 1);
    return `${operation}_${this.#lastMs}`;
  }

  #refuseWhenBusy({ name }: Operation): void {
    if (!this.#socket.isOpen) {
      throw new ProblemError('unavailable', 'The world is disconnecting. Nothing was sent; repeat the call.');
    }
    if (this.size >= this.#context.limits.callsInFlight) {
      throw new ProblemError(
        'overloaded',
        `The world has ${this.#context.limits.callsInFlight} calls in flight already. Nothing was sent; repeat the call.`,
      );
    }
    if (this.#socket.queuedBytes > this.#context.limits.sendQueueBytes) {
      throw new ProblemError(
        'overloaded',
        'The world does not read fast enough. Nothing was sent; repeat the call.',
      );
    }
    if (!this.#expected.fits(name, this.#context.limits.replyBytes)) {
      throw new ProblemError(
        'overloaded',
        `The answers of this world to ${name} are large, and several are on their way. Nothing was sent; repeat the call.`,
      );
    }
  }

  #send(call: PendingCall, text: string): void {
    this.#expected.start(call.operation.name);
    this.#byId.set(call.requestId, call);
    call.start();
    if (call.keyed) this.sentKeys.add(call.keyed);
    this.#socket.sendText(text);
  }

  #wait(call: PendingCall, text: string, budgetMs: number): void {
    call.unsent = { text, beforeMs: Date.now() + budgetMs - leastTimeMs };
    const line = this.#waiting.get(call.operation.name);
    if (line) line.add(call);
    else this.#waiting.set(call.operation.name, new Set([call]));
  }

  /** Takes a call out of its line. Undefined where it was sent, or has ended. */
  #takeUnsent(call: PendingCall): PendingCall['unsent'] {
    const { operation, unsent } = call;
    call.unsent = undefined;
    const line = this.#waiting.get(operation.name);
    line?.delete(call);
    if (line?.size === 0) this.#waiting.delete(operation.name);
    return unsent;
  }

  /** Sends the calls of a line, or rejects them, as far as is known what their replies will take. */
  #goOn(operation: string): void {
    const line = this.#waiting.get(operation);
    if (!line) return;
    for (const call of line) {
      if (this.#expected.areUnknownOf(operation)) return;
      const unsent = this.#takeUnsent(call);
      try {
        if (!unsent || Date.now() >= unsent.beforeMs) throw unanswered(call);
        if (!this.#socket.mayAct) throw moving();
        this.#refuseWhenBusy(call.operation);
        // Another one under its key went while it waited, and its module does not remember.
        if (call.keyed && !call.keyed.memory && this.sentKeys.before(call.keyed) !== undefined)
          throw new ProblemError('outcome_unknown');
        this.#send(call, unsent.text);
      } catch (error) {
        clearTimeout(call.deadline);
        call.reject(error as ProblemError);
      }
    }
  }

  #expire(call: PendingCall): void {
    const { requestId, operation } = call;
    if (this.#takeUnsent(call)) return call.reject(unanswered(call));
    if (!this.take(requestId)) return;
    this.#socket.send({ type: 'cancel', requestId });
    const waited = `The world did not answer within ${operation.timeoutMs / 1000} s.`;
    call.reject(new ProblemError('client_timeout', waited, { requestId }));
  }

  #abandon(call: PendingCall): void {
    const { requestId } = call;
    if (this.#takeUnsent(call)) clearTimeout(call.deadline);
    else if (this.take(requestId)) this.#socket.send({ type: 'cancel', requestId });
    else return;
    call.reject(hungUp({ requestId }));
  }
}

/** A command for a module. It is pending until its reply, its deadline or the end of the socket. */
export class PendingCall implements AwaitedReply {
  readonly requestId: string;
  readonly operation: Operation;
  /** The key that asks; undefined for a module. */
  readonly keyId: string | undefined;
  readonly keyed: KeyedSending | undefined;
  readonly reply: Promise<WorldReply>;
  deadline: NodeJS.Timeout | undefined;
  /** The frame, where it waits to be sent, and by when it must be: by the wall clock, which goes on while the machine sleeps. */
  unsent: { text: string; beforeMs: number } | undefined;
  readonly #settle: PromiseWithResolvers<WorldReply>;
  #sentAt: number | undefined;
  #worldMs: number | undefined;

  constructor(requestId: string, operation: Operation, keyId?: string, keyed?: KeyedSending) {
    this.requestId = requestId;
    this.operation = operation;
    this.keyId = keyId;
    this.keyed = keyed;
    this.#settle = Promise.withResolvers();
    this.reply = this.#settle.promise;
  }

  start(): void {
    this.#sentAt = performance.now();
  }

  /** Ends the time of the world, and answers with it in milliseconds. Undefined where the command was not sent. */
  stop(): number | undefined {
    if (this.#sentAt === undefined) return undefined;
    this.#worldMs = Math.round((performance.now() - this.#sentAt) * 1_000) / 1_000;
    return this.#worldMs;
  }

  resolve(reply: WorldReply): void {
    reply.worldMs = this.#worldMs;
    this.#settle.resolve(reply);
  }

  reject(problem: ProblemError): void {
    problem.worldMs = this.#worldMs;
    this.#settle.reject(problem);
  }
}

const moving = (): ProblemError =>
  new ProblemError('unavailable', 'The world is just moving. Nothing was sent; repeat the call.');

function unanswered({ operation }: PendingCall): ProblemError {
  const why = `The world has answered none of the calls of ${operation.name} that were sent before`;
  return new ProblemError('overloaded', `${why}. Nothing was sent; repeat the call.`);
}

/** Calls of an operation that are sent before the module's first reply to it. */
const sentBeforeFirstReply = 8;

/**
 * What the replies to one module's calls in flight will take, judged by the last reply to each operation. Without it as
 * many large replies as calls in flight could be on their way, and most would come after their callers' time-out.
 */
class ExpectedReplies {
  /** By operation: the size of the last reply where it was large, zero where it was small. */
  readonly #lastBytes = new Map<string, number>();
  readonly #inFlight = new Map<string, number>();

  /** Whether a further call may be sent. One call always may. */
  fits(operation: string, limit: number): boolean {
    const bytes = this.#lastBytes.get(operation) ?? 0;
    if (bytes === 0) return true;
    const expected = this.#expectedBytes();
    return expected === 0 || expected + bytes <= limit;
  }

  /** Whether so many calls were sent ahead that a further one waits for the first reply to the operation. */
  areUnknownOf(operation: string): boolean {
    return !this.#lastBytes.has(operation) && (this.#inFlight.get(operation) ?? 0) >= sentBeforeFirstReply;
  }

  start(operation: string): void {
    this.#inFlight.set(operation, (this.#inFlight.get(operation) ?? 0) + 1);
  }

  end(operation: string): void {
    this.#inFlight.set(operation, (this.#inFlight.get(operation) ?? 1) - 1);
  }

  learn(operation: string, bytes: number): void {
    this.#lastBytes.set(operation, bytes > smallReplyBytes ? bytes : 0);
  }

  #expectedBytes(): number {
    let expected = 0;
    for (const [operation, bytes] of this.#lastBytes)
      expected += bytes * (this.#inFlight.get(operation) ?? 0);
    return expected;
  }
}

/** A module of another rules system never answers such a command, and the caller would wait for nothing. */
function refuseForeignSystem(
  { world }: { readonly world: WorldMetadata },
  { name, systems }: Operation,
): void {
  if (systems === undefined) return;
  const { systemId, systemTitle } = world;
  if (systemId === '' || systems.includes(systemId)) return;
  throw new ProblemError(
    'operation_failed',
    `This world plays by ${systemTitle || systemId}, which does not know ${name}. Nothing was sent.`,
    { reason: 'wrong_system' },
  );
}
