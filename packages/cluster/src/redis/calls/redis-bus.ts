import type { Bus, Question, Reply } from '../../cluster.ts';
import { BusFailure, refused } from '../../failures.ts';
import type { BulkBounds } from '../bulk/bulk-bounds.ts';
import { createIncomingBytes } from '../bulk/incoming-bytes.ts';
import { createIncomingReplies } from '../bulk/incoming-replies.ts';
import type { RedisShard } from '../shard/shard.ts';
import type { ClusterTimes } from '../times.ts';
import type { Traffic } from '../traffic.ts';
import { createTraffic } from '../traffic.ts';
import type { Answer, Message } from '../../message.ts';
import { createCallEndings } from './call-endings.ts';
import { createCallRouter } from './call-router.ts';
import { createCallSweep } from './call-sweep.ts';
import type { WaitingCall } from './waiting-calls.ts';
import { createWaitingCalls } from './waiting-calls.ts';

export interface RedisBus extends Bus {
  /** To be called with each answer on a reply channel of this instance. */
  onAnswer(shard: RedisShard, callId: number, answer: Answer): void;
  /** To be called with each part of a large reply. */
  onChunk(shard: RedisShard, chunk: Extract<Message, { kind: 'chunk' }>): void;
  /** To be called when the subscription to the chunks was lost. */
  onBulkLost(shard: RedisShard): void;
  /** To be called when the subscription on a shard was lost and stands again. */
  onGap(shard: RedisShard): void;
  /** Fails all calls that wait, and every later question. */
  stop(): void;
}

export interface BusOptions {
  boot: string;
  shards: readonly RedisShard[];
  shardOf: (clientId: string) => RedisShard;
  times: ClusterTimes;
  bounds: BulkBounds;
  traffic?: Traffic;
}

/** Questions over Redis. A question is repeated only when its owner said that it sent nothing. */
export function createRedisBus(options: BusOptions): RedisBus {
  const { boot, shards, shardOf, times, bounds, traffic = createTraffic() } = options;
  const calls = createWaitingCalls(traffic);
  const endings = createCallEndings(boot, calls);
  const router = createCallRouter({ boot, shards, endings, calls, bounds, graceMs: times.graceMs, traffic });
  const room = createIncomingBytes(bounds);
  traffic.waiting = () => calls.size;
  traffic.heldBytes = room.held;
  const incoming = new Map(
    shards.map((shard) => [shard, createIncomingReplies({ boot, shard, calls, endings, room, bounds })]),
  );
  const onSweep = (now: number): void => incoming.forEach((replies) => replies.sweep(now));
  const sweep = createCallSweep({ calls, shards, endings, onSweep, times });
  let stopped = false;

  return {
    ask: (question) => {
      const shard = shardOf(question.clientId);
      if (stopped || !shard.isAnswering() || !shard.listener.isListening()) {
        return refused(new BusFailure('unavailable', false, 'Redis is unavailable'));
      }
      const waiting = Promise.withResolvers<Reply>();
      const call = newCall(question, shard, waiting);
      sweep.start();
      const isWaiting = shard.replySlots.lend((id) => {
        if (call.settled) return false;
        calls.name(call, id);
        router.route(call);
        return true;
      });
      if (!isWaiting) endings.fail(call, 'unavailable', 'too many calls wait for a reply channel');
      else if (call.id === 0) calls.add(call);
      return { reply: waiting.promise, abandon: () => endings.giveUp(call, 'aborted', 'the caller hung up') };
    },
    onAnswer: (shard, callId, answer) => {
      const call = calls.get(callId);
      if (!call) {
        if (isOfCall(answer)) traffic.late += 1;
        // Whoever gave it up may not have known its owner, which would keep the reply until nobody can want it.
        if (answer.kind === 'begin') endings.cancel({ id: callId, shard, owner: answer.owner });
        return;
      }
      if (answer.kind === 'reply') calls.succeed(call, answer);
      else if (answer.kind === 'begin') incoming.get(call.shard)?.begin(call, answer);
      else if (answer.kind === 'failed') calls.fail(call, answer.failure);
      else if (answer.kind === 'not_mine') router.tryAgain(call, 'the owner may not act for the client now');
    },
    onChunk: (shard, chunk) => incoming.get(shard)?.onChunk(chunk),
    onBulkLost: (shard) => incoming.get(shard)?.onLost(),
    onGap: sweep.onGap,
    stop: () => {
      stopped = true;
      sweep.stop();
      for (const call of calls)
        endings.fail(call, call.maybeSent ? 'lost' : 'unavailable', 'this instance stops');
    },
  };
}

/** Answers to probes come on the same channels. */
function isOfCall({ kind }: Answer): boolean {
  return kind !== 'alive' && kind !== 'gone';
}

function newCall(
  question: Question,
  shard: RedisShard,
  { resolve, reject }: PromiseWithResolvers<Reply>,
): WaitingCall {
  const askedAt = performance.now();
  return {
    id: 0,
    question,
    shard,
    askedAt,
    deadline: askedAt + question.budgetMs,
    expiry: shard.lease.redisNow() + question.budgetMs,
    failAt: Infinity,
    attempt: 0,
    maybeSent: false,
    owner: '',
    hasBegun: false,
    dropReply: undefined,
    settled: false,
    givenUp: false,
    resolve,
    reject,
  };
}
