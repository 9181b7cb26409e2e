import type { HoldStore } from '@tabletop-relay/cluster';
import type { Database } from '@tabletop-relay/database';
import { sql } from 'kysely';

/**
 * Holds in Postgres: an owner keeps its clients by them while Redis is away. Times are the database's. `held_until` is the
 * latest of them: an instance of the release before this one reads it alone.
 */
export function createHoldStore(db: Database, instanceId: string): HoldStore {
  return {
    async hold(boot, shards, ms) {
      await sql`
        with hold as (select now() + ${ms} * interval '1 millisecond' as until)
        insert into instances (boot, instance_id, held_until, holds)
        select ${boot}, ${instanceId}, until,
          (select jsonb_object_agg(shard, until) from unnest(${shards}::int[]) shard)
        from hold
        on conflict (boot) do update set
          held_until = greatest(instances.held_until, excluded.held_until),
          holds = coalesce(instances.holds, '{}') || excluded.holds, seen_at = now()`.execute(db);
    },
    async isHeld(boot, shard) {
      const { rows } = await sql`
        select from instances
        where boot = ${boot} and held_until > now()
          and (holds is null or (holds ->> ${String(shard)})::timestamptz > now())`.execute(db);
      return rows.length > 0;
    },
  };
}
