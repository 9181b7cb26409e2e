import { createConnect } from '../connection.ts';
import { keys } from '../keys.ts';
import { sendCommand } from '../script.ts';
import { defaultTimes } from '../times.ts';

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
