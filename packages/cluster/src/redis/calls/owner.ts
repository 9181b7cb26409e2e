import type { Instance, Reply } from '../../cluster.ts';
import { BusFailure } from '../../failures.ts';
import type { ClaimCheck, Claims, OwnedClaim } from '../claims/claims.ts';
import { authorityOf } from '../claims/claims.ts';
import type { RedisStandbys } from '../claims/standbys.ts';
import type { OutgoingReplies } from './outgoing-replies.ts';
import { keys } from '../keys.ts';
import type { RedisShard } from '../shard/shard.ts';
import type { Traffic } from '../traffic.ts';
import { countMessage } from '../traffic.ts';
import type { CallAddress, Message, RoutedCall } from '../../message.ts';
import { readCalls } from '../../message.ts';
import type { Listeners } from '../../streams/stream-store.ts';
import type { StreamId } from '../../streams/streams.ts';
import type { AnswerOutbox } from './answer-outbox.ts';

export interface OwnerOptions {
  ways: ReadonlyMap<RedisShard, Way>;
  claims: Claims;
  claimCheck: ClaimCheck;
  standbys: Pick<RedisStandbys, 'onVacant' | 'giveUp'>;
  instance: () => Instance;
  /** Another instance told how many listen to a stream of one of our clients. */
  onListeners: (stream: StreamId, listeners: Listeners) => void;
  traffic: Traffic;
}

/** The ways back over the shard that a message came over. */
export interface Way {
  readonly outbox: AnswerOutbox;
  readonly outgoing: OutgoingReplies;
}

/** The part of this instance that owns clients, as other instances see it: it answers their calls and probes. */
export interface Owner {
  /** Handles what another instance sent, or a script of its. */
  onMessage(shard: RedisShard, message: Message): void;
  /** To be called when Redis answers again: what waits is sent. */
  flush(shard: RedisShard): void;
  /** Resolves when the replies that are on their way have left, or after `ms`. */
  finish(ms: number): Promise<void>;
  stop(): void;
}

export function createOwner(options: OwnerOptions): Owner {
  const { ways, claims, claimCheck, standbys, instance, onListeners, traffic } = options;
  /**
   * The calls in progress, by asker and call id. A call leaves with its reply, its failure or its asker's `cancel`. An asker that died
   * sends none: then the call leaves when `Instance.deliver` ends, which has the call's time-out.
   */
  const running = new Map<string, AbortController>();

  const deliver = async (call: RoutedCall, body: Buffer, shard: RedisShard, way: Way): Promise<void> => {
    const budgetMs = call.expiry - shard.lease.redisNow();
    // The asker no longer waits, so the call must not start.
    if (budgetMs <= 0) return;
    const mine = claimFor(call, claims, claimCheck);
    if (!mine) return way.outbox.send(call, { kind: 'not_mine' });
    const callId = nameOf(call);
    const { clientId, head } = call;
    const received = { clientId, conn: mine.conn, callId, head, body, budgetMs };
    const stop = new AbortController();
    running.set(callId, stop);
    let reply: Reply;
    try {
      reply = await instance().deliver(received, stop.signal);
    } catch (cause) {
      if (running.delete(callId)) way.outbox.send(call, { kind: 'failed', failure: asFailure(cause) });
      return;
    }
    const { head: replyHead, body: bytes, release = () => {} } = reply;
    // An abandoned call has been removed already, and its asker no longer waits.
    if (!running.delete(callId)) release();
    else if (bytes.length > call.inlineBytes) way.outgoing.send(call, reply);
    else way.outbox.send(call, { kind: 'reply', head: replyHead, body: bytes }, release);
  };

  /** Delivers a call that was too large to be published. Until it is fetched nothing was sent to the client. */
  const fetchAndDeliver = async (call: RoutedCall, shard: RedisShard, way: Way): Promise<void> => {
    if (!claimFor(call, claims, claimCheck)) return way.outbox.send(call, { kind: 'not_mine' });
    const callId = nameOf(call);
    running.set(callId, new AbortController());
    const body = await fetchBody(call, shard);
    if (!running.delete(callId)) return;
    if (body) return deliver(call, body, shard, way);
    const failure = new BusFailure('unavailable', false, 'the command could not be fetched');
    way.outbox.send(call, { kind: 'failed', failure });
  };

  const abandon = (callId: string): void => {
    const stop = running.get(callId);
    running.delete(callId);
    stop?.abort();
  };

  const take = (call: RoutedCall, shard: RedisShard, way: Way): void => {
    countMessage(traffic.received.command, call.body.length);
    void (call.isStored ? fetchAndDeliver(call, shard, way) : deliver(call, call.body, shard, way));
  };

  const handle = (message: Message, shard: RedisShard, way: Way): void => {
    if (message.kind === 'calls') for (const call of readCalls(message)) take(call, shard, way);
    else if (message.kind === 'credit') way.outgoing.onCredit(message);
    else if (message.kind === 'cancel') {
      abandon(nameOf(message));
      way.outgoing.cancel(message);
    } else if (message.kind === 'superseded') {
      claims.lose(message.clientId, message.conn);
      instance().evict(message.conn, 'handed_over');
    } else if (message.kind === 'listeners') onListeners(message, message);
    else if (message.kind === 'probe') answer(message, way, claimCheck.check(message.clientId, message.conn));
    else if (message.kind === 'vacant') standbys.onVacant(message.clientId);
    else if (message.kind === 'yield') {
      const gaveUp = standbys.giveUp(message.clientId, message.conn);
      const told = gaveUp.then((isGone) => (isGone ? 'gone' : 'alive'));
      answer(message, way, told);
    }
  };

  return {
    onMessage: (shard, message) => {
      const way = ways.get(shard);
      if (way) handle(message, shard, way);
    },
    flush: (shard) => ways.get(shard)?.outbox.flush(),
    finish: (ms) => finishReplies([...ways.values()], ms),
    stop: () => {
      for (const name of running.keys()) abandon(name);
      for (const { outbox, outgoing } of ways.values()) {
        outbox.stop();
        outgoing.stop();
      }
    },
  };
}

/** Askers hear chunks and the end of the lease on two connections, and must have read the last chunk first. */
const lastChunkMs = 200;

/** The calls of these replies have run, so their callers should learn of it. */
async function finishReplies(ways: readonly Way[], ms: number): Promise<void> {
  if (ways.every(({ outgoing }) => outgoing.isEmpty())) return;
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([Promise.all(ways.map(({ outgoing }) => outgoing.whenEmpty())), late.promise]);
  clearTimeout(timer);
  await new Promise((resolve) => setTimeout(resolve, lastChunkMs));
}

function answer(question: CallAddress, { outbox }: Way, life: Promise<'alive' | 'gone'>): void {
  // No answer is sent while Redis is unavailable. The newcomer then waits for the lease to end.
  life.then(
    (kind) => outbox.send(question, { kind }),
    () => {},
  );
}

/** The claim that a call was routed by, while this instance may act for it. */
function claimFor(
  { clientId, epoch }: RoutedCall,
  claims: Claims,
  claimCheck: ClaimCheck,
): OwnedClaim | undefined {
  const mine = claims.owned.get(clientId);
  // By a hold an instance serves only its own callers, because without Redis no reply reaches another instance.
  if (mine?.epoch === epoch && authorityOf(mine) === 'owner') return mine;
  if (!mine) claimCheck.releaseStale(clientId);
  return undefined;
}

function fetchBody({ asker, callId }: CallAddress, shard: RedisShard): Promise<Buffer | null> {
  return shard.bulk.send<Buffer | null>('getdel', [keys.command(asker, callId)], null).catch(() => null);
}

const nameOf = ({ asker, callId }: CallAddress): string => `${asker}:${callId}`;

function asFailure(cause: unknown): BusFailure {
  if (cause instanceof BusFailure) return cause;
  return new BusFailure('lost', true, 'the owner failed while it delivered', { cause });
}
