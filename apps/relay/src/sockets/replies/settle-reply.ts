import type { Reply } from '@tabletop-relay/cluster';
import { reasonInWords } from '@tabletop-relay/contract';
import type { Operation, WorldMetadata } from '@tabletop-relay/contract';
import { ProblemError } from '../../problem.ts';
import type { KeyedSending } from './sent-keys.ts';
import { Budget } from '@tabletop-relay/kit';
import type { GiveBack, Owner } from '@tabletop-relay/kit';

/** The answer of a world: its bytes, and a function that tells when they are no longer needed. */
export interface WorldReply extends Pick<Reply, 'body' | 'release'> {
  /** How long the world took, in milliseconds. */
  worldMs?: number | undefined;
}

/** A call whose reply is awaited. */
export interface AwaitedReply {
  readonly requestId: string;
  readonly operation: Operation;
  /** Set where its caller may repeat it. */
  readonly keyed?: KeyedSending | undefined;
  resolve(reply: WorldReply): void;
  reject(problem: ProblemError): void;
}

/** The socket on which a reply came. */
export interface ReplySocket {
  readonly world: WorldMetadata;
  /** Counts a reply as in flight. Undefined for a small one, else a function to call when its bytes have left. */
  countReply(bytes: number): (() => void) | undefined;
}

const maxDetailLength = 2_000;

/** Settles a call with the frame that answers it. The caller gets its bytes unchanged, unless the operation adapts them. */
export function settle(
  call: AwaitedReply,
  frame: Record<string, unknown>,
  received: Buffer,
  socket: ReplySocket,
): void {
  const { requestId, operation } = call;
  if (isRefusal(frame)) return call.reject(refusal(frame, call));
  if (frame['type'] !== `${operation.name}-result`) {
    const detail = `The world answered ${String(frame['type']).slice(0, 100)} to ${operation.name}.`;
    return call.reject(new ProblemError('client_bad_reply', detail, { requestId }));
  }
  const body = adapted(operation, frame, received, socket.world);
  call.resolve({ body, release: socket.countReply(body.length) });
}

/** The problem for an error that the world answered. Its text becomes the detail; its code, or else its words, the reason. */
function refusal(
  frame: Record<string, unknown>,
  { requestId, operation, keyed }: AwaitedReply,
): ProblemError {
  const { error } = frame;
  const detail = textOf(error) || 'The world refused the operation.';
  const code = [frame['code'], fieldOf(error, 'code')].find((one) => typeof one === 'string');
  // What a module says that remembers.
  if (keyed && (code === 'already_done' || code === 'outcome_unknown'))
    return new ProblemError(code, undefined, { requestId });
  const reason = code === undefined ? reasonInWords(detail, operation.reasons) : code.slice(0, 100);
  return new ProblemError('operation_failed', detail.slice(0, maxDetailLength), {
    requestId,
    ...(reason === undefined ? {} : { reason }),
  });
}

/** What an error says. Some modules send the error itself, or a list of them: then it is its message, or else all of it. */
function textOf(error: unknown): string {
  if (typeof error === 'string') return error;
  if (typeof error !== 'object' || error === null) return '';
  const words = ['message', 'error', 'detail', 'reason', 'title'].map((name) => fieldOf(error, name));
  const said = words.find((word) => typeof word === 'string' && word !== '');
  if (typeof said === 'string') return said;
  try {
    return JSON.stringify(error);
  } catch {
    // It is nested too deep to be written.
    return '';
  }
}

const fieldOf = (source: unknown, name: string): unknown =>
  typeof source === 'object' && source !== null ? (source as Record<string, unknown>)[name] : undefined;

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

/** The most bytes of large replies that may wait to leave this instance. */
export interface ReplyByteLimits {
  ofClient: number;
  ofAccount: number;
  ofInstance: number;
}

/** A module's socket, as far as its replies can stop it from being read. */
export interface ReplySource {
  readonly identity: { accountId: string };
  readonly inflow: { stop(why: 'replies'): void; resume(why: 'replies'): void };
}

/**
 * Counts the large replies that came from modules and that their callers have not read yet. A reply is never refused,
 * because its command has run. Instead a module is not read while it, its account or the instance is above a limit. So
 * each module can exceed a limit by one frame.
 */
export interface ReplyBytes {
  /** Counts a reply. Undefined for a small one, else a function to call when its bytes have left, or never will. */
  count(source: ReplySource, bytes: number): GiveBack | undefined;
}

/** Smaller replies are not counted. The number of calls in flight bounds them. */
export const smallReplyBytes = 64 * 1024;

export function createReplyBytes(limits: ReplyByteLimits, counted: { set(bytes: number): void }): ReplyBytes {
  const budget = new Budget(limits.ofInstance);
  const stopped = new Set<ReplySource>();
  const ownersOf = (source: ReplySource): Owner[] => [
    { of: source, most: limits.ofClient },
    { of: source.identity.accountId, most: limits.ofAccount },
  ];
  const isFull = (source: ReplySource) => budget.lacking(ownersOf(source)) !== undefined;
  budget.onFreed(() => {
    counted.set(budget.total);
    for (const source of stopped) {
      if (isFull(source)) continue;
      stopped.delete(source);
      source.inflow.resume('replies');
    }
  });

  return {
    count: (source, bytes) => {
      if (bytes <= smallReplyBytes) return undefined;
      const giveBack = budget.add(ownersOf(source), bytes);
      counted.set(budget.total);
      if (isFull(source)) {
        stopped.add(source);
        source.inflow.stop('replies');
      }
      return giveBack;
    },
  };
}
