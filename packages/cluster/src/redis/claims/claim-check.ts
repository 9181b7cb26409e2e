import type { Instance } from '../../cluster.ts';
import { keys } from '../keys.ts';
import type { RedisShard } from '../shard/shard.ts';
import type { Claims } from './claims.ts';
import { sendRelease } from './claims.ts';

/** Checks claims of this instance that another instance doubts. */
export interface ClaimCheck {
  /**
   * Tells whether the conn that Redis names as owner is alive. One that does not answer, or is unknown here, is fenced
   * and its claim released before the result. Rejects while Redis is unavailable. Probes each conn once at a time.
   */
  check(clientId: string, conn: string): Promise<'alive' | 'gone'>;
  /** To be called on a command for a client that this instance does not own: releases a claim without a socket. */
  releaseStale(clientId: string): void;
}

export interface ClaimCheckOptions {
  boot: string;
  claims: Claims;
  shardOf: (clientId: string) => RedisShard;
  instance: () => Instance;
}

const staleMovingMs = 5_000;

export function createClaimCheck({ boot, claims, shardOf, instance }: ClaimCheckOptions): ClaimCheck {
  const { owned, claiming } = claims;
  const checks = new Map<string, Promise<'alive' | 'gone'>>();
  const releasing = new Set<string>();

  const examine = async (clientId: string, conn: string): Promise<'alive' | 'gone'> => {
    const isOnItsWay = claiming.has(conn) || instance().isArriving(conn);
    if (isOnItsWay || (await instance().probe(conn))) return 'alive';
    claims.lose(clientId, conn);
    instance().evict(conn, 'silent');
    await sendRelease(shardOf(clientId), clientId, conn);
    return 'gone';
  };

  const release = async (clientId: string): Promise<void> => {
    const shard = shardOf(clientId);
    const fields = [keys.owner(clientId), 'boot', 'conn'];
    const [owner, conn] = await shard.send<(string | null)[]>('hmget', fields);
    if (owner !== boot || !conn || claiming.has(conn) || owned.get(clientId)?.conn === conn) return;
    // The claim only becomes moving, because after a failover the true owner may be about to assert its own.
    await sendRelease(shard, clientId, conn, staleMovingMs);
  };

  return {
    check: (clientId, conn) => {
      const running = checks.get(conn);
      if (running) return running;
      const result = examine(clientId, conn).finally(() => checks.delete(conn));
      checks.set(conn, result);
      return result;
    },
    releaseStale: (clientId) => {
      if (releasing.has(clientId)) return;
      releasing.add(clientId);
      release(clientId)
        .catch(() => {})
        .finally(() => releasing.delete(clientId));
    },
  };
}
