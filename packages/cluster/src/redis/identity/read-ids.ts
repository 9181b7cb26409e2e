import { createConnect, sendCommand, runScript } from '../connection.ts';
import { keys, shardIndex } from '../keys.ts';
import { defaultTimes } from '../times.ts';
import type { Connection } from '../connection.ts';
import { FIND } from '../scripts/claims.ts';

/**
 * The id of each Redis, for a process that is no instance: it connects for this look only. Undefined where there is none.
 * Rejects where one does not answer.
 */
export async function readRedisIds(
  shards: readonly string[],
  reread?: (url: string) => string,
): Promise<{ place: string; id: string | undefined }[]> {
  const connect = createConnect(reread);
  return await Promise.all(
    shards.map(async (url) => {
      const redis = connect(reread?.(url) ?? url, 'admin', defaultTimes);
      try {
        await redis.connect();
        const id = await sendCommand<string | null>(redis, 'get', [keys.id]);
        return { place: new URL(url).host, id: id ?? undefined };
      } finally {
        redis.disconnect();
      }
    }),
  );
}

/** Scripts of this size end within a millisecond or so. */
const batchSize = 500;

/**
 * Finds which clients are online, for a process that is no instance: it takes no lease and connects for this look only.
 * Rejects where a shard does not answer.
 */
export async function findOnline(
  shards: readonly string[],
  clientIds: readonly string[],
  reread?: (url: string) => string,
): Promise<Set<string>> {
  const connect = createConnect(reread);
  const online = new Set<string>();
  for (const [index, url] of shards.entries()) {
    const wanted = clientIds.filter((clientId) => shardIndex(clientId, shards.length) === index);
    if (wanted.length === 0) continue;
    const redis = connect(reread?.(url) ?? url, 'admin', defaultTimes);
    try {
      await redis.connect();
      for (const clientId of await findOn(redis, wanted)) online.add(clientId);
    } finally {
      redis.disconnect();
    }
  }
  return online;
}

async function findOn(redis: Connection, clientIds: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (let at = 0; at < clientIds.length; at += batchSize) {
    const batch = clientIds.slice(at, at + batchSize);
    const rows = await runScript<string[][]>(redis, FIND, batch.map(keys.owner), []);
    found.push(
      ...batch.filter((_clientId, index) => rows[index]?.[0] !== undefined && rows[index][2] !== '1'),
    );
  }
  return found;
}
