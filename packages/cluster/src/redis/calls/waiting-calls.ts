import type { Question, Reply } from '../../cluster.ts';
import type { BusFailure } from '../../failures.ts';
import type { RedisShard } from '../shard/shard.ts';

/** A question on its way. */
export interface WaitingCall {
  readonly id: number;
  readonly question: Question;
  readonly shard: RedisShard;
  /** On the monotonic clock, like `failAt`. */
  readonly deadline: number;
  /** When the call counts as lost because its way was broken; Infinity while it is whole. */
  failAt: number;
  /** Counts the look-ups: an owner that says `not_mine` leads to another. */
  attempt: number;
  /** The current attempt was handed to Redis and not refused: the command may have been sent. */
  maybeSent: boolean;
  /** The boot that the command was published to, once Redis said so. */
  owner: string;
  /** The reply was parked and is being fetched: its owner no longer matters. */
  fetching: boolean;
  settled: boolean;
  /** Nobody waits for the reply any more: an owner that is learnt of later gets a cancel. */
  givenUp: boolean;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (failure: BusFailure) => void;
}

export interface WaitingCalls extends Iterable<WaitingCall> {
  readonly size: number;
  add(call: WaitingCall): void;
  get(id: number): WaitingCall | undefined;
  /** Each settles once; what comes later is dropped. */
  succeed(call: WaitingCall, reply: Reply): void;
  fail(call: WaitingCall, failure: BusFailure): void;
}

export function createWaitingCalls(): WaitingCalls {
  const calls = new Map<number, WaitingCall>();
  const settle = (call: WaitingCall): boolean => {
    if (call.settled) return false;
    call.settled = true;
    calls.delete(call.id);
    return true;
  };
  return {
    get size() {
      return calls.size;
    },
    add: (call) => calls.set(call.id, call),
    get: (id) => calls.get(id),
    succeed: (call, reply) => {
      if (settle(call)) call.resolve(reply);
    },
    fail: (call, failure) => {
      if (settle(call)) call.reject(failure);
    },
    [Symbol.iterator]: () => calls.values(),
  };
}
