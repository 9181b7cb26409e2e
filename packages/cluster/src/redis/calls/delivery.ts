import type { Instance, Reply } from '../../cluster.ts';
import { BusFailure } from '../../failures.ts';
import type { ClaimCheck } from '../claims/claim-check.ts';
import type { Claims, OwnedClaim } from '../claims/claims.ts';
import { authorityOf } from '../claims/claims.ts';
import type { OutgoingReplies } from '../bulk/outgoing-replies.ts';
import { keys } from '../keys.ts';
import type { RedisShard } from '../shard/shard.ts';
import type { Traffic } from '../traffic.ts';
import { countMessage } from '../traffic.ts';
import type { CallAddress, Message, RoutedCall } from '../../message.ts';
import { readCalls } from '../../message.ts';
import type { Listeners } from '../../streams/stream-store.ts';
import type { StreamId } from '../../streams/streams.ts';
import type { AnswerOutbox } from './answer-outbox.ts';

export interface DeliveryOptions {
  claims: Claims;
  claimCheck: ClaimCheck;
  instance: () => Instance;
  /** Another instance told how many listen to a stream of one of our clients. */
  onListeners: (stream: StreamId, listeners: Listeners) => void;
  traffic: Traffic;
}

/** The shard that a message came over, and the ways back over it. */
export interface Way {
  readonly shard: RedisShard;
  readonly outbox: AnswerOutbox;
  readonly outgoing: OutgoingReplies;
}

/** Handles what other instances send to this one. */
export interface Delivery {
  onMessage(way: Way, message: Message): void;
  stop(): void;
}

export function createDelivery(options: DeliveryOptions): Delivery {
  const { claims, claimCheck, instance, onListeners, traffic } = options;
  /** Functions that abandon the commands in progress, by asker and call id. */
  const running = new Map<string, () => void>();

  const deliver = async (call: RoutedCall, body: Buffer, way: Way): Promise<void> => {
    const { clientId, head } = call;
    const budgetMs = call.expiry - way.shard.lease.redisNow();
    // The asker no longer waits, so the command must not start.
    if (budgetMs <= 0) return;
    const mine = claimFor(call, claims, claimCheck);
    if (!mine) return way.outbox.send(call, { kind: 'not_mine' });
    const callId = nameOf(call);
    let reply: Reply;
    try {
      const asked = instance().deliver({ clientId, conn: mine.conn, callId, head, body, budgetMs });
      running.set(callId, asked.abandon);
      reply = await asked.reply;
    } catch (cause) {
      if (running.delete(callId)) way.outbox.send(call, { kind: 'failed', failure: asFailure(cause) });
      return;
    }
    const { head: replyHead, body: bytes, release = () => {} } = reply;
    // An abandoned command has been removed already, and its asker no longer waits.
    if (!running.delete(callId)) release();
    else if (bytes.length > call.inlineBytes) way.outgoing.send(call, reply);
    else way.outbox.send(call, { kind: 'reply', head: replyHead, body: bytes }, release);
  };

  /** Delivers a command that was too large to be published. Until it is fetched nothing was sent to the client. */
  const fetchAndDeliver = async (call: RoutedCall, way: Way): Promise<void> => {
    if (!claimFor(call, claims, claimCheck)) return way.outbox.send(call, { kind: 'not_mine' });
    const callId = nameOf(call);
    running.set(callId, () => {});
    const body = await fetchBody(call, way);
    if (!running.delete(callId)) return;
    if (body) return deliver(call, body, way);
    const failure = new BusFailure('unavailable', false, 'the command could not be fetched');
    way.outbox.send(call, { kind: 'failed', failure });
  };

  const abandon = (callId: string): void => {
    const giveUp = running.get(callId);
    running.delete(callId);
    giveUp?.();
  };

  const take = (call: RoutedCall, way: Way): void => {
    countMessage(traffic.received.command, call.body.length);
    void (call.isStored ? fetchAndDeliver(call, way) : deliver(call, call.body, way));
  };

  const handle = (message: Message, way: Way): void => {
    if (message.kind === 'calls') for (const call of readCalls(message)) take(call, way);
    else if (message.kind === 'credit') way.outgoing.onCredit(message);
    else if (message.kind === 'cancel') {
      abandon(nameOf(message));
      way.outgoing.cancel(message);
    } else if (message.kind === 'superseded') {
      claims.lose(message.clientId, message.conn);
      instance().evict(message.conn, 'handed_over');
    } else if (message.kind === 'listeners') onListeners(message, message);
    else if (message.kind === 'probe') answerProbe(message, way, claimCheck);
  };

  return {
    onMessage: (way, message) => handle(message, way),
    stop: () => [...running.keys()].forEach(abandon),
  };
}

function answerProbe(
  probe: Extract<Message, { kind: 'probe' }>,
  { outbox }: Way,
  claimCheck: ClaimCheck,
): void {
  // No answer is sent while Redis is unavailable. The newcomer then waits for the lease to end.
  claimCheck.check(probe.clientId, probe.conn).then(
    (kind) => outbox.send(probe, { kind }),
    () => {},
  );
}

/** The claim that a command was routed by, while this instance may act for it. */
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

function fetchBody({ asker, callId }: CallAddress, { shard }: Way): Promise<Buffer | null> {
  return shard.bulk.send<Buffer | null>('getdel', [keys.command(asker, callId)], null).catch(() => null);
}

const nameOf = ({ asker, callId }: CallAddress): string => `${asker}:${callId}`;

function asFailure(cause: unknown): BusFailure {
  if (cause instanceof BusFailure) return cause;
  return new BusFailure('lost', true, 'the owner failed while it delivered', { cause });
}
