import { raiseTotals } from '@tabletop-relay/limits';
import type { Ledger } from '@tabletop-relay/limits';
import type { Database } from '@tabletop-relay/database';
import { sql } from 'kysely';

/** Raises the monthly counters to the usage in Postgres, for keys used in the last hour. Returns how many keys. */
export async function rollUpUsage(db: Database, ledger: Ledger): Promise<number> {
  const { rows } = await sql<{ key: string; limit: number; total: string }>`
    select k.id || ':' || u.month as key, k.monthly_limit as limit, u.calls as total
    from api_keys k join key_usage u on u.key_id = k.id
    where k.monthly_limit is not null and k.last_used_at > now() - interval '1 hour'
      and u.month = date_trunc('month', now() at time zone 'UTC')::date`.execute(db);
  await raiseTotals(
    ledger,
    rows.map(({ key, limit, total }) => ({ name: 'month', key, limit, total: Number(total) })),
  );
  return rows.length;
}
