import type { Answer } from '../wire/answers.ts';
import type { Instance } from '../../cluster.ts';
import { BusFailure } from '../../failures.ts';
import type { CommandFrame } from '../wire/frames.ts';
import { readFrames } from '../wire/frames.ts';
import type { Answers } from './answer-outbox.ts';
import type { Claims } from '../claims/claims.ts';
import { authorityOf } from '../claims/claims.ts';
import type { Judge } from '../claims/claim-check.ts';
import type { RedisShard } from '../shard/shard.ts';

export interface DeliveryOptions {
  claims: Claims;
  judge: Judge;
  instance: () => Instance;
}

/** What the others ask of this instance. */
export interface Delivery {
  onMessage(shard: RedisShard, answers: Answers, message: Buffer): void;
  stop(): void;
}

export function createDelivery({ claims, judge, instance }: DeliveryOptions): Delivery {
  /** The ways to give up what is being answered. */
  const running = new Map<string, () => void>();

  const deliver = async (frame: CommandFrame, shard: RedisShard, answers: Answers): Promise<void> => {
    const { clientId, body } = frame;
    const budgetMs = frame.expiry - shard.lease.redisNow();
    // Nobody waits for it any more, and nobody may start it.
    if (budgetMs <= 0) return;
    const mine = claims.owned.get(clientId);
    // A held authority serves this instance's own callers: without Redis no reply could get back.
    if (mine?.epoch !== frame.epoch || authorityOf(mine) !== 'owner') {
      if (!mine) judge.disown(clientId);
      return answers.send(frame, { kind: 'not_mine' });
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
    // One that was abandoned has left already: nobody waits for its answer.
    if (running.delete(callId)) answers.send(frame, answer);
  };

  const abandon = (callId: string): void => {
    const giveUp = running.get(callId);
    running.delete(callId);
    giveUp?.();
  };

  return {
    onMessage: (shard, answers, message) => {
      for (const frame of readFrames(message)) {
        if (frame.kind === 'command') void deliver(frame, shard, answers);
        else if (frame.kind === 'cancel') abandon(`${frame.asker}:${frame.callId}`);
        else {
          // Without Redis there is no verdict; the newcomer waits for the lease to end.
          judge.judge(frame.clientId, frame.conn).then(
            (kind) => answers.send(frame, { kind }),
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
