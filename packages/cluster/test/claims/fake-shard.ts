import { vi } from 'vitest';
import type { RedisShard } from '../../src/redis/shard/shard.ts';

/** A shard whose scripts are answered by the test, in the order in which they were run. */
export function createFakeShard(index = 0) {
  const runs: { keys: readonly string[]; args: readonly unknown[]; answer: PromiseWithResolvers<unknown> }[] =
    [];
  const state = { isAnswering: true, isUsable: true, term: 1 };
  const holdSince = vi.fn<(sent: { monotonicMs: number }) => void>();
  const cork = vi.fn<() => void>();
  const shard = {
    name: `shard ${index}`,
    index,
    isAnswering: () => state.isAnswering,
    lease: {
      isUsable: () => state.isUsable,
      term: () => state.term,
      authority: (term: number) => (term === state.term ? 'full' : 'frozen'),
      holdSince,
    },
    cork,
    run: (_script: unknown, keys: readonly string[], args: readonly unknown[]) => {
      const answer = Promise.withResolvers<unknown>();
      runs.push({ keys, args, answer });
      return answer.promise;
    },
  };
  return { shard: shard as unknown as RedisShard, state, runs, holdSince, cork };
}

export type FakeShard = ReturnType<typeof createFakeShard>;
