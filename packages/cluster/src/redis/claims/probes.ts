import type { Incumbent } from '../../contend.ts';
import { keys } from '../keys.ts';
import type { RedisShard } from '../shard/shard.ts';
import type { ClusterTimes } from '../times.ts';
import type { Answer } from '../wire/answers.ts';
import { probeFrame } from '../wire/frames.ts';

export type ProbeAnswer = 'alive' | 'gone' | 'no_answer';

export interface Probes {
  /** Asks the incumbent's instance whether the incumbent is alive. Rejects when the probe could not be sent. */
  ask(shard: RedisShard, clientId: string, incumbent: Incumbent): Promise<ProbeAnswer>;
  onAnswer(callId: number, answer: Answer): void;
}

/** Probes take their ids from the same sequence as calls, because both are answered on the channel of their id. */
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
