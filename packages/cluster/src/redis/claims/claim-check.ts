import type { Instance } from '../../cluster.ts';
import { keys } from '../keys.ts';
import type { Claims } from './claims.ts';
import { sendRelease } from './claims.ts';
import { isRegistering } from '../../registering.ts';
import type { RedisShard } from '../shard/shard.ts';

/** Decides on the claims of this instance that others doubt. */
export interface Judge {
  /**
   * Whether the conn that Redis calls the owner lives. One that is silent, or unknown here, is fenced off and its
   * claim released before the verdict. Rejects when Redis is away. One probe per conn at a time.
   */
  judge(clientId: string, conn: string): Promise<'alive' | 'gone'>;
  /** A command came for a client that is not ours: a claim that outlived its conn is released. */
  disown(clientId: string): void;
}

export interface JudgeOptions {
  boot: string;
  claims: Claims;
  shardOf: (clientId: string) => RedisShard;
  instance: () => Instance;
}

const outlivedMs = 5_000;

export function createJudge({ boot, claims, shardOf, instance }: JudgeOptions): Judge {
  const { owned, claiming } = claims;
  const judging = new Map<string, Promise<'alive' | 'gone'>>();
  const disowning = new Set<string>();

  const examine = async (clientId: string, conn: string): Promise<'alive' | 'gone'> => {
    if (claiming.has(conn) || (await instance().probe(conn))) return 'alive';
    const mine = owned.get(clientId);
    if (mine?.conn === conn) {
      if (isRegistering(instance(), conn, mine.claimedAt)) return 'alive';
      owned.delete(clientId);
    }
    instance().evict(conn, 'silent');
    await sendRelease(shardOf(clientId), clientId, conn);
    return 'gone';
  };

  const releaseOutlived = async (clientId: string): Promise<void> => {
    const shard = shardOf(clientId);
    const [owner, conn] = await shard.send<(string | null)[]>('hmget', [
      keys.owner(clientId),
      'boot',
      'conn',
    ]);
    if (owner !== boot || !conn || claiming.has(conn) || owned.get(clientId)?.conn === conn) return;
    // Not erased at once: after a failover the true owner may be about to assert its own claim.
    await sendRelease(shard, clientId, conn, outlivedMs);
  };

  return {
    judge: (clientId, conn) => {
      const running = judging.get(conn);
      if (running) return running;
      const verdict = examine(clientId, conn).finally(() => judging.delete(conn));
      judging.set(conn, verdict);
      return verdict;
    },
    disown: (clientId) => {
      if (disowning.has(clientId)) return;
      disowning.add(clientId);
      releaseOutlived(clientId)
        .catch(() => {})
        .finally(() => disowning.delete(clientId));
    },
  };
}
