import type { OtherReading, ReadingStore, RedisReading } from '@tabletop-relay/cluster';
import type { Database } from '@tabletop-relay/database';
import { sql } from 'kysely';

/** More instances than anybody runs. The answer stays bounded while instances start and crash in a loop. */
const maxRead = 1_000;

/** What instances tell of their Redis, in their rows of `instances`. */
export function createReadingStore(db: Database, instanceId: string): ReadingStore {
  return {
    tell: ({ boot, shard }, decide) =>
      db.transaction().execute(async (trx) => {
        await sql`select pg_advisory_xact_lock(hashtext('redis readings'))`.execute(trx);
        const others = await readOthers(trx, boot, shard);
        const own = decide(others);
        if (!own) return;
        const redis = JSON.stringify({ [shard]: own });
        await sql`
          insert into instances (boot, instance_id, held_until, redis)
          values (${boot}, ${instanceId}, now(), ${redis})
          on conflict (boot) do update set
            redis = coalesce(instances.redis, '{}') || excluded.redis, seen_at = clock_timestamp()`.execute(
          trx,
        );
      }),
  };
}

/** Rows of killed instances stay for a day: the cluster judges for how long their word counts. */
async function readOthers(db: Database, boot: string, shard: number): Promise<OtherReading[]> {
  const { rows } = await sql<{ instanceId: string; heardMs: number; reading: RedisReading }>`
    select instance_id as "instanceId", redis -> ${String(shard)}::text as reading,
      (extract(epoch from clock_timestamp() - seen_at) * 1000)::float8 as "heardMs"
    from instances
    where boot <> ${boot} and redis ? ${String(shard)}
    order by seen_at desc limit ${maxRead}`.execute(db);
  return rows.map(({ instanceId, heardMs, reading }) => ({
    ...reading,
    instanceId,
    heardMs,
    ageMs: reading.ageMs + heardMs,
  }));
}
