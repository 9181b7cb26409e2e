import type { Database } from '@tabletop-relay/database';
import { sql } from 'kysely';

/** The calls with expired keys of an account in the hours from `since`, by the key. */
export async function readExpiredCalls(
  db: Database,
  { accountId, since }: { accountId: string; since: Date },
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('callHours')
    .select(['keyId', sql<string>`sum(calls)`.as('calls')])
    .where('accountId', '=', accountId)
    .where('hour', '>=', since)
    .where('outcome', '=', 'key_expired')
    .groupBy('keyId')
    .execute();
  return new Map(rows.map(({ keyId, calls }) => [keyId, Number(calls)]));
}
