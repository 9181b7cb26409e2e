import { vi } from 'vitest';
import type { OwnedClaim } from '../../src/redis/claims/claims.ts';
import type { RedisShard } from '../../src/redis/shard/shard.ts';

/** A shard whose scripts and commands are answered by the test, in the order in which they were sent. */
export function createFakeShard(index = 0) {
  const runs: { keys: readonly string[]; args: readonly unknown[]; answer: PromiseWithResolvers<unknown> }[] =
    [];
  const commands: { name: string; args: readonly unknown[]; answer: PromiseWithResolvers<unknown> }[] = [];
  const state = { isAnswering: true, isUsable: true, term: 1 };
  const holdSince = vi.fn<(sent: { monotonicMs: number }) => void>();
  const shard = {
    name: `shard ${index}`,
    index,
    isAnswering: () => state.isAnswering,
    lease: {
      isUsable: () => state.isUsable,
      term: () => state.term,
      authority: (term: number) => (term === state.term ? 'owner' : 'frozen'),
      holdSince,
    },
    send: (name: string, args: readonly unknown[]) => {
      const answer = Promise.withResolvers<unknown>();
      commands.push({ name, args, answer });
      return answer.promise;
    },
    run: (_script: unknown, keys: readonly string[], args: readonly unknown[]) => {
      const answer = Promise.withResolvers<unknown>();
      runs.push({ keys, args, answer });
      return answer.promise;
    },
  };
  return { shard: shard as unknown as RedisShard, state, runs, commands, holdSince };
}

export type FakeShard = ReturnType<typeof createFakeShard>;

/** A claim of this instance on a client of the shard. */
export const claimOn = ({ shard }: FakeShard, conn: string, more: Partial<OwnedClaim> = {}): OwnedClaim => ({
  clientId: 'client',
  conn,
  accountId: 'account',
  meta: '',
  epoch: 3,
  shard,
  term: 1,
  claimedAt: 0,
  ...more,
});

/** Lets everything run that waits for nothing but promises. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
