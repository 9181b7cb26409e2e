import type { Incumbent } from '../../contend.ts';
import { keys } from '../keys.ts';
import type { RedisShard } from '../shard/shard.ts';
import type { ClusterTimes } from '../times.ts';
import type { Answer } from '../../message.ts';
import { writeMessage } from '../../message.ts';

export type ProbeAnswer = 'alive' | 'gone' | 'no_answer';

export interface Probes {
  /** Asks the incumbent's instance whether the incumbent is alive. Rejects when the probe could not be sent. */
  ask(shard: RedisShard, clientId: string, incumbent: Incumbent): Promise<ProbeAnswer>;
  onAnswer(callId: number, answer: Answer): void;
}

/** A probe is lent a reply channel as a call is. */
export function createProbes(boot: string, times: ClusterTimes): Probes {
  const waiting = new Map<number, (answer: ProbeAnswer) => void>();
  return {
    ask: async (shard, clientId, incumbent) => {
      const { promise, resolve, reject } = Promise.withResolvers<ProbeAnswer>();
      let callId = 0;
      let isOver = false;
      const timer = setTimeout(() => resolve('no_answer'), times.probeAnswerMs);
      shard.replySlots.lend((id) => {
        if (isOver) return false;
        callId = id;
        waiting.set(id, resolve);
        const message = writeMessage('probe', { asker: boot, callId: id, clientId, conn: incumbent.conn });
        shard.send('publish', [keys.commands(incumbent.boot), message]).catch(reject);
        return true;
      });
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        isOver = true;
        if (waiting.delete(callId)) shard.replySlots.giveBack(callId);
      }
    },
    onAnswer: (callId, answer) => {
      if (answer.kind === 'alive' || answer.kind === 'gone') waiting.get(callId)?.(answer.kind);
    },
  };
}
