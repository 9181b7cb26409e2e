import type { Instance } from '../../cluster.ts';
import { BusFailure } from '../../failures.ts';
import type { ClaimCheck } from '../claims/claim-check.ts';
import type { Claims } from '../claims/claims.ts';
import { authorityOf } from '../claims/claims.ts';
import type { RedisShard } from '../shard/shard.ts';
import type { Answer } from '../wire/answers.ts';
import type { CommandFrame } from '../wire/frames.ts';
import { readFrames } from '../wire/frames.ts';
import type { AnswerOutbox } from './answer-outbox.ts';

export interface DeliveryOptions {
  claims: Claims;
  claimCheck: ClaimCheck;
  instance: () => Instance;
}

/** Handles the frames that other instances send to this one. */
export interface Delivery {
  onMessage(shard: RedisShard, outbox: AnswerOutbox, message: Buffer): void;
  stop(): void;
}

export function createDelivery({ claims, claimCheck, instance }: DeliveryOptions): Delivery {
  /** Functions that abandon the commands in progress, by asker and call id. */
  const running = new Map<string, () => void>();

  const deliver = async (frame: CommandFrame, shard: RedisShard, outbox: AnswerOutbox): Promise<void> => {
    const { clientId, body } = frame;
    const budgetMs = frame.expiry - shard.lease.redisNow();
    // The asker no longer waits, so the command must not start.
    if (budgetMs <= 0) return;
    const mine = claims.owned.get(clientId);
    // By a hold an instance serves only its own callers, because without Redis no reply reaches another instance.
    if (mine?.epoch !== frame.epoch || authorityOf(mine) !== 'owner') {
      if (!mine) claimCheck.releaseStale(clientId);
      return outbox.send(frame, { kind: 'not_mine' });
    }
    const callId = `${frame.asker}:${frame.callId}`;
    let answer: Answer;
    try {
      const asked = instance().deliver({ clientId, conn: mine.conn, callId, body, budgetMs });
      running.set(callId, asked.abandon);
      answer = { kind: 'reply', ...(await asked.reply) };
    } catch (cause) {
      answer = { kind: 'failed', failure: asFailure(cause) };
    }
    // An abandoned command has been removed already, and its asker no longer waits.
    if (running.delete(callId)) outbox.send(frame, answer);
  };

  const abandon = (callId: string): void => {
    const giveUp = running.get(callId);
    running.delete(callId);
    giveUp?.();
  };

  return {
    onMessage: (shard, outbox, message) => {
      for (const frame of readFrames(message)) {
        if (frame.kind === 'command') void deliver(frame, shard, outbox);
        else if (frame.kind === 'cancel') abandon(`${frame.asker}:${frame.callId}`);
        else if (frame.kind === 'superseded') {
          claims.lose(frame.clientId, frame.conn);
          instance().evict(frame.conn, 'superseded');
        } else {
          // No answer is sent while Redis is unavailable. The newcomer then waits for the lease to end.
          claimCheck.check(frame.clientId, frame.conn).then(
            (kind) => outbox.send(frame, { kind }),
            () => {},
          );
        }
      }
    },
    stop: () => {
      for (const callId of running.keys()) abandon(callId);
    },
  };
}

function asFailure(cause: unknown): BusFailure {
  if (cause instanceof BusFailure) return cause;
  return new BusFailure('lost', true, 'the owner failed while it delivered', { cause });
}
