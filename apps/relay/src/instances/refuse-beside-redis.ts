import { StartError } from '@tabletop-relay/database';
import type { Database } from '@tabletop-relay/database';
import { sql } from 'kysely';

/** Three reports of an instance. */
const wordMs = 15_000;
const pauseMs = 500;

/**
 * For an instance without Redis that holds the lock: rejects with `StartError` when one with Redis speaks. After an outage of
 * Postgres nobody holds the lock for a moment, so those that have spoken before are given the time to speak again.
 */
export async function refuseBesideRedis(db: Database): Promise<void> {
  const begunAt = performance.now();
  for (let waitedMs = 0; waitedMs < wordMs; waitedMs = performance.now() - begunAt) {
    const { rows } = await sql<{ instanceId: string; heardMs: number }>`
      select instance_id as "instanceId", (extract(epoch from clock_timestamp() - seen_at) * 1000)::float8 as "heardMs"
      from instances where redis <> '{}' order by seen_at desc limit 1`.execute(db);
    const [last] = rows;
    if (!last) return;
    if (last.heardMs < waitedMs) {
      throw new StartError(
        `${last.instanceId} runs on this database with Redis: set REDIS_URL here too, or stop all others first`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
