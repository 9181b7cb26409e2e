import { Budget } from '@tabletop-relay/kit';
import { addAbortListener } from 'node:events';
import type { Bus, BusFailureReason, Call, Reply } from '../../cluster.ts';
import { BusFailure, ClusterUnavailable } from '../../failures.ts';
import type { Answer, Message } from '../../message.ts';
import { writeMessage } from '../../message.ts';
import type { BulkBounds } from '../bulk-bounds.ts';
import { keys } from '../keys.ts';
import type { ScriptArgument } from '../connection.ts';
import { ROUTE } from '../scripts/calls.ts';
import type { RedisShard } from '../shard/shard.ts';
import { createTickBatch } from '../tick-batch.ts';
import type { ClusterTimes } from '../times.ts';
import type { Traffic } from '../traffic.ts';
import { countMessage, createTraffic } from '../traffic.ts';
import { createIncomingReplies } from './incoming-replies.ts';
import type { IncomingReplies, ReceivingCall } from './incoming-replies.ts';
import { createWatch } from './owner-watch.ts';

/** A call that its asker waits for. Times are in ms on the monotonic clock. */
export interface WaitingCall extends Readonly<Call>, ReceivingCall {
  /** 0 until a reply channel was lent to the call. */
  id: number;
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

export interface AskerOptions {
  boot: string;
  shards: readonly RedisShard[];
  shardOf: (clientId: string) => RedisShard;
  times: ClusterTimes;
  bounds: BulkBounds;
  traffic?: Traffic;
}

/** What the asker has of each shard. */
interface Side {
  /** Looks the owner up, and publishes the call to it. */
  readonly route: (call: WaitingCall) => void;
  readonly incoming: IncomingReplies<WaitingCall>;
  readonly watch: (calls: Iterable<WaitingCall>) => Promise<void>;
  /** Owners may be reconnecting until then, as this instance was. */
  watchedFrom: number;
}

const maxAttempts = 3;
const retryAfterMs = 50;

/** The calls of this instance to clients that others own. A call is repeated only when its owner said that it sent nothing. */
export class Asker implements Bus {
  readonly #options: AskerOptions;
  readonly #traffic: Traffic;
  readonly #sides: ReadonlyMap<RedisShard, Side>;
  /** By the ids that name their reply channels, and those that wait for a channel. */
  readonly #named = new Map<number, WaitingCall>();
  readonly #unnamed = new Set<WaitingCall>();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: AskerOptions) {
    const { boot, shards, bounds, traffic = createTraffic() } = options;
    this.#options = options;
    this.#traffic = traffic;
    const room = new Budget(bounds.incomingBytes);
    traffic.waiting = () => this.#size;
    traffic.heldBytes = () => room.total;
    this.#sides = new Map(
      shards.map((shard) => [
        shard,
        {
          route: this.#createRoute(shard),
          incoming: createIncomingReplies({ boot, shard, calls: this, room, bounds }),
          watch: createWatch<WaitingCall>(shard, (call) => this.lose(call, 'the owner is gone')),
          watchedFrom: 0,
        },
      ]),
    );
  }

  get #size(): number {
    return this.#named.size + this.#unnamed.size;
  }

  get #all(): WaitingCall[] {
    return [...this.#named.values(), ...this.#unnamed];
  }

  async call(asked: Call, signal?: AbortSignal): Promise<Reply> {
    if (signal?.aborted) throw new BusFailure('aborted', false, 'the caller hung up');
    const shard = this.#options.shardOf(asked.clientId);
    if (this.#isStopped || !shard.isAnswering() || !shard.listener.isListening())
      throw new BusFailure('unavailable', false, 'Redis is unavailable');
    const waiting = Promise.withResolvers<Reply>();
    const call = newCall(asked, shard, waiting);
    this.#unnamed.add(call);
    // Runs only while calls wait.
    this.#timer ??= setInterval(() => this.#sweep(), this.#options.times.watchMs);
    const isWaiting = shard.replySlots.lend((id) => {
      if (call.settled) return false;
      this.#unnamed.delete(call);
      call.id = id;
      this.#named.set(id, call);
      this.#sides.get(shard)?.route(call);
      return true;
    });
    if (!isWaiting) this.#fail(call, 'unavailable', 'too many calls wait for a reply channel');
    const hangUp = () => this.#giveUp(call, 'aborted', 'the caller hung up');
    const listening = signal && addAbortListener(signal, hangUp);
    try {
      return await waiting.promise;
    } finally {
      listening?.[Symbol.dispose]();
    }
  }

  /** To be called with each answer on a reply channel of this instance. */
  onAnswer(shard: RedisShard, callId: number, answer: Answer): void {
    // Answers to probes come on the same channels.
    if (answer.kind === 'alive' || answer.kind === 'gone') return;
    const call = this.#named.get(callId);
    if (!call) {
      this.#traffic.late += 1;
      // Whoever gave it up may not have known its owner, which would keep the reply until nobody can want it.
      if (answer.kind === 'begin') this.#cancel({ id: callId, shard, owner: answer.owner });
    } else if (answer.kind === 'reply') this.succeed(call, answer);
    else if (answer.kind === 'begin') this.#sides.get(shard)?.incoming.begin(call, answer);
    else if (answer.kind === 'failed') this.#end(call, answer.failure);
    else this.#tryAgain(call, 'the owner may not act for the client now');
  }

  /** To be called with each part of a large reply. */
  onChunk(shard: RedisShard, chunk: Extract<Message, { kind: 'chunk' }>): void {
    this.#sides.get(shard)?.incoming.onChunk(chunk);
  }

  /** To be called when the subscription to the chunks was lost. */
  onBulkLost(shard: RedisShard): void {
    this.#sides.get(shard)?.incoming.onLost();
  }

  /**
   * To be called when the subscription on a shard was lost and stands again. The replies to its calls may be lost, so they get a
   * last grace period, but for those that have begun: they come over another connection.
   */
  onGap(shard: RedisShard): void {
    const failAt = performance.now() + this.#options.times.graceMs;
    const side = this.#sides.get(shard);
    if (side) side.watchedFrom = failAt;
    for (const call of this.#all) {
      if (call.shard === shard && call.maybeSent && !call.hasBegun) call.failAt = failAt;
    }
  }

  /** Fails all calls that wait, and every later one. */
  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
    for (const call of this.#all)
      this.#fail(call, call.maybeSent ? 'lost' : 'unavailable', 'this instance stops');
  }

  succeed(call: WaitingCall, reply: Reply): void {
    if (!this.#settle(call)) return;
    this.#traffic.answered += 1;
    this.#traffic.answeredMs += performance.now() - call.askedAt;
    call.resolve(reply);
  }

  /** The owner, a part of the reply or a connection on the way is gone. */
  lose(call: WaitingCall, why: string): void {
    call.givenUp = true;
    this.#fail(call, 'lost', why);
    this.#cancel(call);
  }

  /** The asker no longer waits. */
  #giveUp(call: WaitingCall, reason: 'timeout' | 'aborted', why: string): void {
    if (call.settled) return;
    call.givenUp = true;
    // A call that was certainly not sent in time may be repeated, so it is no time-out.
    this.#fail(call, reason === 'timeout' && !call.maybeSent ? 'unavailable' : reason, why);
    this.#cancel(call);
  }

  #fail(call: WaitingCall, reason: BusFailureReason, why: string): void {
    this.#end(call, new BusFailure(reason, call.maybeSent, why));
  }

  #end(call: WaitingCall, failure: BusFailure): void {
    if (!this.#settle(call)) return;
    failure.owner = call.owner || undefined;
    call.reject(failure);
  }

  /** Once: later results are dropped. Its reply channel is given back. */
  #settle(call: WaitingCall): boolean {
    if (call.settled) return false;
    call.settled = true;
    call.dropReply?.();
    call.dropReply = undefined;
    this.#unnamed.delete(call);
    if (this.#named.delete(call.id)) call.shard.replySlots.giveBack(call.id);
    return true;
  }

  /** Tells the owner, if it is known, that nobody waits any more. */
  #cancel({ id, shard, owner }: Pick<WaitingCall, 'id' | 'shard' | 'owner'>): void {
    if (!owner) return;
    const message = writeMessage('cancel', { asker: this.#options.boot, callId: id });
    shard.send('publish', [keys.commands(owner), message]).catch(() => {});
  }

  #sweep(): void {
    const now = performance.now();
    // After the sockets were read once more: a timer that fires late, after a long turn, finds answers unread.
    setImmediate(() => this.#endLate(now));
    for (const [shard, { watch, watchedFrom }] of this.#sides) {
      if (shard.isAnswering() && shard.listener.isListening() && now >= watchedFrom)
        void watch(this.#all.filter((call) => call.shard === shard));
    }
  }

  #endLate(now: number): void {
    for (const call of this.#all) {
      if (now >= call.deadline && call.hasBegun) this.lose(call, 'the reply was not whole in time');
      else if (now >= call.deadline) this.#giveUp(call, 'timeout', 'no reply within the budget');
      else if (now >= call.failAt) this.lose(call, 'a connection on the way of the call was broken');
    }
    for (const { incoming } of this.#sides.values()) incoming.sweep(now);
    if (this.#size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Looks up the owner again, after an owner said that it sent nothing. Fails the call after three attempts. */
  #tryAgain(call: WaitingCall, why: string): void {
    call.maybeSent = false;
    call.owner = '';
    call.failAt = Infinity;
    call.attempt += 1;
    if (call.attempt >= maxAttempts) this.#fail(call, 'unavailable', why);
    else setTimeout(() => this.#sides.get(call.shard)?.route(call), retryAfterMs);
  }

  /** The answer is the owner's boot id, or why nothing was published to whom. `unanswered`: the script may have run. */
  #onRouted({ call, attempt }: LookUp, said: string): void {
    const [answer = '', owner = ''] = said.split(' ');
    // The owner's answer may overtake that of the script and start the next attempt.
    if (call.attempt !== attempt) return;
    if (answer === 'unanswered') call.failAt = performance.now() + this.#options.times.graceMs;
    else if (answer === 'moving') this.#tryAgain(call, 'the client is moving between instances');
    else if (answer in notSent) {
      call.maybeSent = false;
      call.owner = owner;
      this.#fail(call, answer === 'none' ? 'no_owner' : 'unavailable', notSent[answer] ?? answer);
    } else {
      call.owner = answer;
      if (call.givenUp) this.#cancel(call);
    }
  }

  /** The calls of one turn of the event loop share one script. */
  #createRoute(shard: RedisShard): (call: WaitingCall) => void {
    const { boot, bounds } = this.#options;
    const enqueue = createTickBatch<LookUp>((lookUps) => void this.#lookUp(shard, lookUps));
    /** Stores a command for its owner. Until the look-up nobody knows of it, so a failure means that nothing was sent. */
    const store = async (lookUp: LookUp): Promise<void> => {
      const { id, body, budgetMs } = lookUp.call;
      const seconds = Math.ceil(budgetMs / 1_000) + 1;
      try {
        await shard.bulk.send('set', [keys.command(boot, id), body, 'EX', seconds]);
        enqueue(lookUp, 0);
      } catch {
        this.#onRouted(lookUp, 'refused');
      }
    };
    return (call) => {
      const { length } = call.body;
      if (length > bounds.commandInlineBytes) void store({ call, attempt: call.attempt });
      else enqueue({ call, attempt: call.attempt }, length);
    };
  }

  async #lookUp(shard: RedisShard, queued: readonly LookUp[]): Promise<void> {
    const { bounds } = this.#options;
    const lookUps = queued.filter(({ call }) => !call.settled);
    if (lookUps.length === 0) return;
    const ofAll = Math.floor(bounds.replyInlineTotalBytes / this.#size);
    const inlineBytes = Math.min(bounds.replyInlineBytes, ofAll);
    const owners = lookUps.map(({ call }) => keys.owner(call.clientId));
    const args = lookUps.flatMap(({ call }) => this.#argsOf(call, inlineBytes));
    const answers = await shard.run<string[]>(ROUTE, owners, args).catch((cause: unknown) => {
      return cause instanceof ClusterUnavailable ? 'refused' : 'unanswered';
    });
    for (const [index, lookUp] of lookUps.entries())
      this.#onRouted(lookUp, typeof answers === 'string' ? answers : (answers[index] ?? 'unanswered'));
  }

  #argsOf(call: WaitingCall, inlineBytes: number): ScriptArgument[] {
    const { boot, bounds } = this.#options;
    const { clientId, accountId, head, body } = call;
    // A suspension stops our own clock, so a later look-up would have the command start late by as much. A step of Redis' clock
    // makes the first figure wrong. The earlier of both starts nothing late.
    const expiry = Math.min(call.expiry, call.deadline - performance.now() + call.shard.lease.redisNow());
    const told = { asker: boot, callId: call.id, clientId, expiry, inlineBytes, head };
    const isStored = body.length > bounds.commandInlineBytes;
    const message = isStored ? writeMessage('call', { ...told, isStored }) : writeMessage('call', told, body);
    countMessage(this.#traffic.published.command, body.length);
    call.maybeSent = true;
    return [accountId, String(expiry), message];
  }
}

interface LookUp {
  call: WaitingCall;
  attempt: number;
}

/** The answers of ROUTE when it published nothing, with the reason for people. `refused`: the script did not run. */
const notSent: Record<string, string> = {
  none: 'no instance owns the client for this account',
  asserting: 'Redis was emptied, and instances make their claims again',
  lapsed: "the owner's lease has ended",
  deaf: "the owner's subscription is lost",
  expired: 'the budget ran out before the look-up',
  refused: 'Redis refused the look-up',
};

function newCall(
  asked: Call,
  shard: RedisShard,
  { resolve, reject }: PromiseWithResolvers<Reply>,
): WaitingCall {
  const askedAt = performance.now();
  return {
    ...asked,
    id: 0, shard, askedAt,
    deadline: askedAt + asked.budgetMs,
    expiry: shard.lease.redisNow() + asked.budgetMs,
    failAt: Infinity,
    attempt: 0,
    maybeSent: false,
    owner: '',
    hasBegun: false,
    dropReply: undefined,
    settled: false,
    givenUp: false,
    resolve, reject,
  }; // prettier-ignore
}
