import type { HoldStore } from '@tabletop-relay/cluster';
import type { Database } from '@tabletop-relay/database';
import { sql } from 'kysely';

/** Holds in Postgres: an owner keeps its clients by them while Redis is away. Times are the database's. */
export function createHoldStore(db: Database, instanceId: string): HoldStore {
  return {
    async hold(boot, ms) {
      await sql`
        insert into instances (boot, instance_id, held_until)
        values (${boot}, ${instanceId}, now() + ${ms} * interval '1 millisecond')
        on conflict (boot) do update set held_until = excluded.held_until, seen_at = now()`.execute(db);
    },
    async isHeld(boot) {
      const { rows } = await sql`select from instances where boot = ${boot} and held_until > now()`.execute(
        db,
      );
      return rows.length > 0;
    },
  };
}
