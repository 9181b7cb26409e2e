import type { Database, Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

const day = 86_400_000;

interface Expiring {
  table: keyof Tables;
  column: string;
  /** After the moment in `column`: so that who comes late is told what became of it. */
  keptMs: number;
  /** Of these rows alone. */
  only?: RawBuilder<boolean>;
}

const expiring: readonly Expiring[] = [
  { table: 'sessions', column: 'expiresAt', keptMs: 0 },
  { table: 'passwordResets', column: 'expiresAt', keptMs: 0 },
  // Nothing writes it any more but instances of before.
  { table: 'loginFailures', column: 'since', keptMs: day },
  { table: 'signInFailures', column: 'until', keptMs: 0 },
  { table: 'pairingCodes', column: 'expiresAt', keptMs: day },
  { table: 'pairingFailures', column: 'minute', keptMs: day },
  { table: 'keyRequests', column: 'expiresAt', keptMs: 30 * day },
  // Nobody ever looked at these.
  { table: 'keyRequests', column: 'expiresAt', keptMs: day, only: sql`account_id is null` },
  { table: 'credentialEvents', column: 'at', keptMs: day },
  { table: 'usageBatches', column: 'at', keptMs: day },
  { table: 'instances', column: 'heldUntil', keptMs: day },
];

const batchSize = 5_000;

/** Deletes what has had its time, in batches that hold no lock for long; answers how many rows, by table. */
export async function expire(db: Database, signal: AbortSignal): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {};
  for (const { table, column, keptMs, only = sql`true` } of expiring) {
    let count: number;
    do {
      signal.throwIfAborted();
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where ctid = any(array(
          select ctid from ${sql.table(table)}
          where ${sql.ref(column)} < now() - ${keptMs} * interval '1 ms' and ${only}
          limit ${batchSize} for update skip locked))`.execute(db);
      count = Number(numAffectedRows);
      if (count > 0) deleted[table] = (deleted[table] ?? 0) + count;
    } while (count === batchSize);
  }
  return deleted;
}
