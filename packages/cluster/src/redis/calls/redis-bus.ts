import type { Bus, BusFailureReason, Question, Reply } from '../../cluster.ts';
import type { Answer } from '../wire/answers.ts';
import { BusFailure, refused } from '../../failures.ts';
import { cancelFrame } from '../wire/frames.ts';
import { keys } from '../keys.ts';
import type { RouteAnswer } from './routes.ts';
import { createRoutes } from './routes.ts';
import type { RedisShard } from '../shard/shard.ts';
import { createWatch } from './owner-watch.ts';
import type { ClusterTimes } from '../times.ts';
import type { WaitingCall } from './waiting-calls.ts';
import { createWaitingCalls } from './waiting-calls.ts';

export interface RedisBus extends Bus {
  onAnswer(callId: number, answer: Answer): void;
  /** The subscription on a shard stands again: replies published meanwhile never come. */
  onGap(shard: RedisShard): void;
  stop(): void;
}

export interface BusOptions {
  boot: string;
  shards: readonly RedisShard[];
  shardOf: (clientId: string) => RedisShard;
  nextCallId: () => number;
  times: ClusterTimes;
}

const maxAttempts = 3;
const retryAfterMs = 50;

/** Questions over Redis. None is ever repeated but one whose owner said that it sent nothing. */
export function createRedisBus(options: BusOptions): RedisBus {
  const { boot, shards, shardOf, times } = options;
  const calls = createWaitingCalls();
  const watchedFrom = new Map<RedisShard, number>();
  let sweeper: NodeJS.Timeout | undefined;
  let stopped = false;

  const fail = (call: WaitingCall, reason: BusFailureReason, why: string): void =>
    calls.fail(call, new BusFailure(reason, call.maybeSent, why));
  const lose = (call: WaitingCall, why: string): void => {
    if (call.fetching) return;
    call.givenUp = true;
    fail(call, 'lost', why);
    cancel(call);
  };

  const routers = new Map(
    shards.map((shard) => [shard, createRoutes({ boot, shard, onRouted: (...route) => onRouted(...route) })]),
  );
  const watches = shards.map((shard) => ({
    shard,
    watch: createWatch(shard, (call) => lose(call, 'the owner is gone')),
  }));

  const route = (call: WaitingCall): void => routers.get(call.shard)?.(call);

  const cancel = (call: WaitingCall): void => {
    if (!call.owner) return;
    const frame = cancelFrame(boot, call.id);
    call.shard.send('publish', [keys.commands(call.owner), frame]).catch(() => {});
  };

  const tryAgain = (call: WaitingCall, why: string): void => {
    call.maybeSent = false;
    call.owner = '';
    call.failAt = Infinity;
    call.attempt += 1;
    if (call.attempt >= maxAttempts) fail(call, 'unavailable', why);
    else setTimeout(() => route(call), retryAfterMs);
  };

  const onRouted = (call: WaitingCall, attempt: number, answer: RouteAnswer): void => {
    // The reply, or `not_mine`, may overtake the answer of the script.
    if (call.attempt !== attempt) return;
    if (answer === 'unanswered') {
      call.failAt = performance.now() + times.graceMs;
    } else if (answer === 'moving') {
      tryAgain(call, 'the client is moving between instances');
    } else if (answer in notSent) {
      call.maybeSent = false;
      fail(call, answer === 'none' ? 'no_owner' : 'unavailable', notSent[answer] ?? answer);
    } else {
      call.owner = answer;
      if (call.givenUp) cancel(call);
    }
  };

  const giveUp = (call: WaitingCall, reason: 'timeout' | 'aborted', why: string): void => {
    if (call.settled) return;
    call.givenUp = true;
    // What was certainly not sent in time may be repeated.
    fail(call, reason === 'timeout' && !call.maybeSent ? 'unavailable' : reason, why);
    cancel(call);
  };

  const sweep = (): void => {
    const now = performance.now();
    for (const call of calls) {
      if (now >= call.deadline) giveUp(call, 'timeout', 'no reply within the budget');
      else if (now >= call.failAt) lose(call, 'the way of the call or its reply was broken');
    }
    if (calls.size === 0) {
      clearInterval(sweeper);
      sweeper = undefined;
    }
    for (const { shard, watch } of watches) {
      // In a gap of our own, and right after it, the owner may be just coming back too: its calls have their grace.
      if (shard.isAnswering() && shard.listener.isListening() && now >= (watchedFrom.get(shard) ?? 0))
        void watch([...calls].filter((call) => call.shard === shard && !call.fetching));
    }
  };

  const fetchParked = async (call: WaitingCall, head: string): Promise<void> => {
    call.fetching = true;
    const key = keys.parked(boot, call.id);
    const body = await call.shard.send<Buffer | null>('getdel', [key], null).catch(() => null);
    call.fetching = false;
    if (body) calls.succeed(call, { head, body });
    else lose(call, 'the parked reply is gone');
  };

  return {
    ask: (question) => {
      const shard = shardOf(question.clientId);
      if (stopped || !shard.isAnswering() || !shard.listener.isListening()) {
        return refused(new BusFailure('unavailable', false, 'Redis is away'));
      }
      const { promise, resolve, reject } = Promise.withResolvers<Reply>();
      const call = newCall(options.nextCallId(), question, shard, resolve, reject);
      calls.add(call);
      sweeper ??= setInterval(sweep, times.watchMs);
      route(call);
      return { reply: promise, abandon: () => giveUp(call, 'aborted', 'the caller hung up') };
    },
    onAnswer: (callId, answer) => {
      const call = calls.get(callId);
      if (!call) return;
      if (answer.kind === 'reply') calls.succeed(call, answer);
      else if (answer.kind === 'parked') void fetchParked(call, answer.head);
      else if (answer.kind === 'failed') calls.fail(call, answer.failure);
      else if (answer.kind === 'not_mine')
        tryAgain(call, 'the owner may not act for the client at the moment');
    },
    onGap: (shard) => {
      const failAt = performance.now() + times.graceMs;
      watchedFrom.set(shard, failAt);
      for (const call of calls) if (call.shard === shard && call.maybeSent) call.failAt = failAt;
    },
    stop: () => {
      stopped = true;
      clearInterval(sweeper);
      for (const call of calls) fail(call, call.maybeSent ? 'lost' : 'unavailable', 'this instance stops');
    },
  };
}

/** What ROUTE answers when it published nothing. */
const notSent: Record<string, string> = {
  none: 'no instance owns the client for this account',
  lapsed: "the owner's lease has ended",
  deaf: 'the owner does not listen',
  expired: 'the budget ran out before the look-up',
  refused: 'Redis did not look the owner up',
};

function newCall(
  id: number,
  question: Question,
  shard: RedisShard,
  resolve: WaitingCall['resolve'],
  reject: WaitingCall['reject'],
): WaitingCall {
  return {
    id,
    question,
    shard,
    deadline: performance.now() + question.budgetMs,
    failAt: Infinity,
    attempt: 0,
    maybeSent: false,
    owner: '',
    fetching: false,
    settled: false,
    givenUp: false,
    resolve,
    reject,
  };
}
