import type { Instance } from './cluster.ts';
import { BusFailure } from './failures.ts';
import type { CommandFrame } from './frames.ts';
import { readFrames } from './frames.ts';
import type { Answers } from './redis-answers.ts';
import type { Claims } from './redis-claims.ts';
import { authorityOf } from './redis-claims.ts';
import type { Judge } from './redis-judge.ts';
import type { RedisShard } from './redis-shard.ts';

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
  const running = new Map<string, AbortController>();

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
    const asker = new AbortController();
    running.set(callId, asker);
    try {
      const reply = await instance().deliver(
        { clientId, conn: mine.conn, callId, body, budgetMs },
        asker.signal,
      );
      if (!asker.signal.aborted) answers.send(frame, { kind: 'reply', head: reply.head, body: reply.body });
    } catch (cause) {
      if (!asker.signal.aborted) answers.send(frame, { kind: 'failed', failure: asFailure(cause) });
    } finally {
      running.delete(callId);
    }
  };

  return {
    onMessage: (shard, answers, message) => {
      for (const frame of readFrames(message)) {
        if (frame.kind === 'command') void deliver(frame, shard, answers);
        else if (frame.kind === 'cancel') running.get(`${frame.asker}:${frame.callId}`)?.abort();
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
      for (const asker of running.values()) asker.abort();
    },
  };
}

function asFailure(cause: unknown): BusFailure {
  if (cause instanceof BusFailure) return cause;
  return new BusFailure('lost', true, 'the owner failed while it delivered', { cause });
}
