import type { Asked, Reply } from '@tabletop-relay/cluster';
import { reasonInWords } from '@tabletop-relay/contract';
import type { Operation, RelayFrame, WorldMetadata } from '@tabletop-relay/contract';
import { ProblemError } from '../problem.ts';
import type { Deadline, Deadlines } from './deadlines.ts';
import { ExpectedReplies } from './replies/expected-replies.ts';

/** The answer of a world: its bytes, and a function that tells when they are no longer needed. */
export interface WorldReply extends Pick<Reply, 'body' | 'release'> {
  /** How long the world took, in milliseconds. */
  worldMs?: number | undefined;
}

/** A command that was sent to a module. It is pending until its reply, its deadline or the end of the socket. */
export interface PendingCall {
  readonly requestId: string;
  readonly operation: Operation;
  resolve(reply: WorldReply): void;
  reject(problem: ProblemError): void;
  deadline?: Deadline;
  /** What its reply is expected to take. Zero where it is expected to be small. */
  readonly expectedBytes: number;
}

/** The socket as its calls use it. */
export interface CallSocket {
  readonly isOpen: boolean;
  /** Bytes that were sent and that the module has not read yet. */
  readonly queuedBytes: number;
  readonly world: WorldMetadata;
  sendText(text: string): void;
  send(frame: RelayFrame): void;
  /** Counts a reply as in flight. Undefined for a small one, else a function to call when its bytes have left. */
  holdReply(bytes: number): (() => void) | undefined;
}

export interface CallBounds {
  /** Calls in flight per client; above it callers get `overloaded`. */
  callsInFlight: number;
  /** Bytes that may wait in the socket's send queue before commands are refused. */
  sendQueueBytes: number;
  /** Bytes of large replies that may be expected from one client; above it callers get `overloaded`. */
  replyBytes: number;
}

/**
 * The calls in flight on one socket. Each socket keeps its own ids, so a reply can only answer a call of the same socket.
 * An id is used once for each socket, so a late reply answers no other call.
 */
export class PendingCalls {
  readonly #socket: CallSocket;
  readonly #deadlines: Deadlines;
  readonly #bounds: CallBounds;
  readonly #byId = new Map<string, PendingCall>();
  readonly #expected = new ExpectedReplies();
  #lastMs = 0;
  #idle: (() => void) | undefined;

  constructor(socket: CallSocket, deadlines: Deadlines, bounds: CallBounds) {
    this.#socket = socket;
    this.#deadlines = deadlines;
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#byId.size;
  }

  /**
   * Sends one command and waits for its reply. It throws where the command cannot be sent, and then nothing was sent.
   * Afterwards the promise rejects with a problem that carries the call's `requestId`. When the call is abandoned, the
   * module gets `cancel` and a late reply is dropped.
   * @param fieldsJson the command's parameters as the text of a JSON object
   */
  ask(operation: Operation, fieldsJson: string, budgetMs: number): Asked<WorldReply> {
    this.#refuseWhenBusy(operation);
    this.#refuseForeignSystem(operation);
    const expectedBytes = this.#expected.of(operation.name);
    this.#expected.add(expectedBytes);
    const requestId = this.#nextId(operation.name);
    const reply = new Promise<WorldReply>((resolve, reject) => {
      const call: PendingCall = { requestId, operation, resolve, reject, expectedBytes };
      call.deadline = this.#deadlines.add(budgetMs, () => this.#expire(call));
      this.#byId.set(requestId, call);
    });
    const head = `{"type":"${operation.name}","requestId":"${requestId}"`;
    this.#socket.sendText(fieldsJson === '{}' ? `${head}}` : `${head},${fieldsJson.slice(1)}`);
    return { reply, abandon: () => this.#abandon(requestId) };
  }

  /** Settles the call that a frame answers. Returns false if no call waits for it. */
  receiveReply(frame: Record<string, unknown>, body: Buffer): boolean {
    const call = typeof frame['requestId'] === 'string' ? this.take(frame['requestId']) : undefined;
    if (!call) return false;
    this.#expected.learn(call.operation.name, body.length);
    settle(call, frame, body, this.#socket);
    return true;
  }

  get(requestId: string): PendingCall | undefined {
    return this.#byId.get(requestId);
  }

  /** Removes the call and returns it. The caller of this method must settle it. */
  take(requestId: string): PendingCall | undefined {
    const call = this.#byId.get(requestId);
    if (!call) return undefined;
    this.#byId.delete(requestId);
    call.deadline?.cancel();
    this.#expected.add(-call.expectedBytes);
    if (this.#byId.size === 0) this.#idle?.();
    return call;
  }

  /** Resolves when no call is in flight, and after `withinMs` at the latest. */
  whenIdle(withinMs: number): Promise<void> {
    if (this.#byId.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      this.#idle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Fails all calls at once. The world may have run their commands or not. */
  failAll(detail: string): void {
    for (const call of this.#byId.values()) {
      const { requestId } = call;
      this.take(requestId);
      call.reject(new ProblemError('client_lost', detail, { requestId }));
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
    if (this.size >= this.#bounds.callsInFlight) {
      throw new ProblemError(
        'overloaded',
        `The world has ${this.#bounds.callsInFlight} calls in flight already. Nothing was sent; repeat the call.`,
      );
    }
    if (this.#socket.queuedBytes > this.#bounds.sendQueueBytes) {
      throw new ProblemError(
        'overloaded',
        'The world does not read fast enough. Nothing was sent; repeat the call.',
      );
    }
    if (!this.#expected.hasRoomFor(name, this.#bounds.replyBytes)) {
      throw new ProblemError(
        'overloaded',
        `The answers of this world to ${name} are large, and several are on their way. Nothing was sent; repeat the call.`,
      );
    }
  }

  /** A module of another rules system never answers such a command, and the caller would wait for nothing. */
  #refuseForeignSystem({ name, systems }: Operation): void {
    if (systems === undefined) return;
    const { systemId, systemTitle } = this.#socket.world;
    if (systemId === '' || systems.includes(systemId)) return;
    throw new ProblemError(
      'operation_failed',
      `This world plays by ${systemTitle || systemId}, which does not know ${name}. Nothing was sent.`,
      { reason: 'wrong_system' },
    );
  }

  #expire(call: PendingCall): void {
    if (!this.take(call.requestId)) return;
    this.#socket.send({ type: 'cancel', requestId: call.requestId });
    const waited = `The world did not answer within ${call.operation.timeoutMs / 1000} s.`;
    call.reject(new ProblemError('client_timeout', waited, { requestId: call.requestId }));
  }

  #abandon(requestId: string): void {
    const call = this.take(requestId);
    if (!call) return;
    this.#socket.send({ type: 'cancel', requestId });
    call.reject(new ProblemError('client_timeout', 'The caller hung up.', { requestId }));
  }
}

const maxDetailLength = 2_000;

/** Settles a call with the frame that answers it. The caller gets its bytes unchanged, unless the operation adapts them. */
function settle(
  call: PendingCall,
  frame: Record<string, unknown>,
  received: Buffer,
  socket: CallSocket,
): void {
  const { requestId, operation } = call;
  if (isRefusal(frame)) return call.reject(refusal(frame, requestId));
  if (frame['type'] !== `${operation.name}-result`) {
    const detail = `The world answered ${String(frame['type']).slice(0, 100)} to ${operation.name}.`;
    return call.reject(new ProblemError('client_bad_reply', detail, { requestId }));
  }
  const body = adapted(operation, frame, received, socket.world);
  call.resolve({ body, release: socket.holdReply(body.length) });
}

/** The problem for an error that the world answered. Its text becomes the detail; its code, or else its words, the reason. */
function refusal(frame: Record<string, unknown>, requestId: string): ProblemError {
  const { error, code } = frame;
  const detail = typeof error === 'string' && error ? error : 'The world refused the operation.';
  const reason = typeof code === 'string' ? code.slice(0, 100) : reasonInWords(detail);
  return new ProblemError('operation_failed', detail.slice(0, maxDetailLength), {
    requestId,
    ...(reason === undefined ? {} : { reason }),
  });
}

/** The body for the caller. It is the frame's bytes, unless the operation adapts the result. */
function adapted(
  operation: Operation,
  frame: Record<string, unknown>,
  body: Buffer,
  world: WorldMetadata,
): Buffer {
  const result = operation.adaptResult?.(frame, world) ?? frame;
  if (result === frame) return body;
  try {
    return Buffer.from(JSON.stringify(result));
  } catch {
    // A frame that is nested very deep can be parsed, but JSON.stringify overflows the stack.
    return body;
  }
}

/** Whether a frame is an error. Today's modules refuse some commands with a type other than that of the result. */
export function isRefusal({ error }: Record<string, unknown>): boolean {
  return error !== undefined && error !== null && error !== false;
}
