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
import type { CommandFrame, Frame, ProbeFrame } from '../wire/frames.ts';
import { readFrames } from '../wire/frames.ts';
import type { Listeners } from '../../streams/stream-store.ts';
import type { StreamId } from '../../streams/streams.ts';
import type { AnswerOutbox, ReplyAddress } from './answer-outbox.ts';

export interface DeliveryOptions {
  claims: Claims;
  claimCheck: ClaimCheck;
  instance: () => Instance;
  /** Another instance told how many listen to a stream of one of our clients. */
  onListeners: (stream: StreamId, listeners: Listeners) => void;
  traffic: Traffic;
}

/** The shard that a frame came over, and the ways back over it. */
export interface Way {
  readonly shard: RedisShard;
  readonly outbox: AnswerOutbox;
  readonly outgoing: OutgoingReplies;
}

/** Handles the frames that other instances send to this one. */
export interface Delivery {
  onMessage(way: Way, message: Buffer): void;
  stop(): void;
}

export function createDelivery(options: DeliveryOptions): Delivery {
  const { claims, claimCheck, instance, onListeners, traffic } = options;
  /** Functions that abandon the commands in progress, by asker and call id. */
  const running = new Map<string, () => void>();

  const deliver = async (frame: CommandFrame, body: Buffer, way: Way): Promise<void> => {
    const { clientId } = frame;
    const budgetMs = frame.expiry - way.shard.lease.redisNow();
    // The asker no longer waits, so the command must not start.
    if (budgetMs <= 0) return;
    const mine = claimFor(frame, claims, claimCheck);
    if (!mine) return way.outbox.send(frame, { kind: 'not_mine' });
    const callId = nameOf(frame);
    let reply: Reply;
    try {
      const asked = instance().deliver({ clientId, conn: mine.conn, callId, body, budgetMs });
      running.set(callId, asked.abandon);
      reply = await asked.reply;
    } catch (cause) {
      if (running.delete(callId)) way.outbox.send(frame, { kind: 'failed', failure: asFailure(cause) });
      return;
    }
    const { head, body: bytes, release = () => {} } = reply;
    // An abandoned command has been removed already, and its asker no longer waits.
    if (!running.delete(callId)) release();
    else if (bytes.length > frame.inlineBytes) way.outgoing.send(frame, reply);
    else way.outbox.send(frame, { kind: 'reply', head, body: bytes }, release);
  };

  /** Delivers a command that was too large to be published. Until it is fetched nothing was sent to the client. */
  const fetchAndDeliver = async (frame: CommandFrame, way: Way): Promise<void> => {
    if (!claimFor(frame, claims, claimCheck)) return way.outbox.send(frame, { kind: 'not_mine' });
    const callId = nameOf(frame);
    running.set(callId, () => {});
    const body = await fetchBody(frame, way);
    if (!running.delete(callId)) return;
    if (body) return deliver(frame, body, way);
    const failure = new BusFailure('unavailable', false, 'the command could not be fetched');
    way.outbox.send(frame, { kind: 'failed', failure });
  };

  const abandon = (callId: string): void => {
    const giveUp = running.get(callId);
    running.delete(callId);
    giveUp?.();
  };

  const handle = (frame: Frame, way: Way): void => {
    if (frame.kind === 'command') {
      countMessage(traffic.received.command, frame.body?.length ?? 0);
      void (frame.body ? deliver(frame, frame.body, way) : fetchAndDeliver(frame, way));
    } else if (frame.kind === 'credit') way.outgoing.onCredit(frame);
    else if (frame.kind === 'cancel') {
      abandon(nameOf(frame));
      way.outgoing.cancel(frame);
    } else if (frame.kind === 'superseded') {
      claims.lose(frame.clientId, frame.conn);
      instance().evict(frame.conn, 'handed_over');
    } else if (frame.kind === 'listeners') onListeners(frame, frame);
    else answerProbe(frame, way, claimCheck);
  };

  return {
    onMessage: (way, message) => {
      for (const frame of readFrames(message)) handle(frame, way);
    },
    stop: () => [...running.keys()].forEach(abandon),
  };
}

function answerProbe(frame: ProbeFrame, { outbox }: Way, claimCheck: ClaimCheck): void {
  // No answer is sent while Redis is unavailable. The newcomer then waits for the lease to end.
  claimCheck.check(frame.clientId, frame.conn).then(
    (kind) => outbox.send(frame, { kind }),
    () => {},
  );
}

/** The claim that a command was routed by, while this instance may act for it. */
function claimFor(
  { clientId, epoch }: CommandFrame,
  claims: Claims,
  claimCheck: ClaimCheck,
): OwnedClaim | undefined {
  const mine = claims.owned.get(clientId);
  // By a hold an instance serves only its own callers, because without Redis no reply reaches another instance.
  if (mine?.epoch === epoch && authorityOf(mine) === 'owner') return mine;
  if (!mine) claimCheck.releaseStale(clientId);
  return undefined;
}

function fetchBody({ asker, callId }: CommandFrame, { shard }: Way): Promise<Buffer | null> {
  return shard.bulk.send<Buffer | null>('getdel', [keys.command(asker, callId)], null).catch(() => null);
}

const nameOf = ({ asker, callId }: ReplyAddress): string => `${asker}:${callId}`;

function asFailure(cause: unknown): BusFailure {
  if (cause instanceof BusFailure) return cause;
  return new BusFailure('lost', true, 'the owner failed while it delivered', { cause });
}
