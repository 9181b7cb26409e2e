import type { Question, Reply } from '../../cluster.ts';
import type { BusFailure } from '../../failures.ts';
import { slotOf } from '../shard/reply-slots.ts';
import type { RedisShard } from '../shard/shard.ts';
import type { Traffic } from '../traffic.ts';
import { createTraffic } from '../traffic.ts';

/** A call that its asker waits for. Times are in ms on the monotonic clock. */
export interface WaitingCall {
  /** 0 until a reply channel was lent to the call. */
  id: number;
  readonly question: Question;
  readonly shard: RedisShard;
  readonly askedAt: number;
  deadline: number;
  /** The deadline in Redis time, as this instance knew it when it was asked. */
  readonly expiry: number;
  /** When to give the call up because a connection on its way was broken. Infinity while none was. */
  failAt: number;
  /** Number of repeated look-ups. An owner that answers `not_mine` causes one. */
  attempt: number;
  /** Redis received the current attempt and did not refuse it, so the command may have been sent. */
  maybeSent: boolean;
  /** Boot id of the owner that the command was published to. Empty until Redis has told it. */
  owner: string;
  /** The owner has announced the reply, which comes in chunks. */
  hasBegun: boolean;
  /** Gives back what the chunks of the reply take. Set while they are awaited. */
  dropReply: (() => void) | undefined;
  settled: boolean;
  /** The asker no longer waits. An owner that becomes known later is sent a cancel. */
  givenUp: boolean;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (failure: BusFailure) => void;
}

export interface WaitingCalls extends Iterable<WaitingCall> {
  readonly size: number;
  /** Adds a call that has no reply channel yet. */
  add(call: WaitingCall): void;
  /** Adds the call under its id, which names its reply channel. The channel is given back when the call is settled. */
  name(call: WaitingCall, id: number): void;
  get(id: number): WaitingCall | undefined;
  /** Both settle a call only once. Later results are dropped. */
  succeed(call: WaitingCall, reply: Reply): void;
  fail(call: WaitingCall, failure: BusFailure): void;
}

export function createWaitingCalls(traffic: Traffic = createTraffic()): WaitingCalls {
  const unnamed = new Set<WaitingCall>();
  /** By the number of the reply channel, because an array costs a call less than a map of ids. */
  const named: (WaitingCall | undefined)[] = [];
  let namedCount = 0;

  const get = (id: number): WaitingCall | undefined => {
    const call = named[slotOf(id)];
    return call?.id === id ? call : undefined;
  };
  const settle = (call: WaitingCall): boolean => {
    if (call.settled) return false;
    call.settled = true;
    call.dropReply?.();
    call.dropReply = undefined;
    if (get(call.id) === call) {
      named[slotOf(call.id)] = undefined;
      namedCount -= 1;
      call.shard.replySlots.giveBack(call.id);
    } else unnamed.delete(call);
    return true;
  };

  return {
    get size() {
      return namedCount + unnamed.size;
    },
    add: (call) => unnamed.add(call),
    name: (call, id) => {
      if (unnamed.size > 0) unnamed.delete(call);
      call.id = id;
      const slot = slotOf(id);
      // One that is written far beyond its end becomes a slow array.
      while (named.length <= slot) named.push(undefined);
      named[slot] = call;
      namedCount += 1;
    },
    get,
    succeed: (call, reply) => {
      if (!settle(call)) return;
      traffic.answered += 1;
      traffic.answeredMs += performance.now() - call.askedAt;
      call.resolve(reply);
    },
    fail: (call, failure) => {
      if (settle(call)) call.reject(failure);
    },
    [Symbol.iterator]: () => [...named.filter((call) => call !== undefined), ...unnamed].values(),
  };
}
