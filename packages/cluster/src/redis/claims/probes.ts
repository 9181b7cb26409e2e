import type { Answer } from '../wire/answers.ts';
import type { Incumbent } from '../../contend.ts';
import { probeFrame } from '../wire/frames.ts';
import { keys } from '../keys.ts';
import type { RedisShard } from '../shard/shard.ts';
import type { ClusterTimes } from '../times.ts';

export type ProbeAnswer = 'alive' | 'gone' | 'no_answer';

export interface Probes {
  /** Asks another instance for its verdict on the incumbent. Rejects when the question could not be sent. */
  ask(shard: RedisShard, clientId: string, incumbent: Incumbent): Promise<ProbeAnswer>;
  onAnswer(callId: number, answer: Answer): void;
}

/** Probes share the numbers of calls, so that both are answered on the channel of their number. */
export function createProbes(boot: string, nextCallId: () => number, times: ClusterTimes): Probes {
  const waiting = new Map<number, (answer: ProbeAnswer) => void>();
  return {
    ask: async (shard, clientId, incumbent) => {
      const callId = nextCallId();
      const { promise, resolve } = Promise.withResolvers<ProbeAnswer>();
      waiting.set(callId, resolve);
      const timer = setTimeout(() => resolve('no_answer'), times.probeAnswerMs);
      try {
        const frame = probeFrame(boot, callId, clientId, incumbent.conn);
        await shard.send('publish', [keys.commands(incumbent.boot), frame]);
        return await promise;
      } finally {
        clearTimeout(timer);
        waiting.delete(callId);
      }
    },
    onAnswer: (callId, answer) => {
      if (answer.kind === 'alive' || answer.kind === 'gone') waiting.get(callId)?.(answer.kind);
    },
  };
}
