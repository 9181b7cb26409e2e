import type { Database, Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { deleteInBatches } from './delete-in-batches.ts';

const day = 86_400_000;

interface Expiring {
  table: keyof Tables;
  column: string;
  /** Kept this long after the time in `column`, so that a late caller still learns what happened. */
  keptMs: number;
  /** Limits the deletion to these rows. */
  only?: RawBuilder<boolean>;
}

const expiring: readonly Expiring[] = [
  { table: 'sessions', column: 'expiresAt', keptMs: 0 },
  { table: 'sessions', column: 'idleExpiresAt', keptMs: 0 },
  { table: 'passwordResets', column: 'expiresAt', keptMs: 0 },
  { table: 'emailConfirmations', column: 'expiresAt', keptMs: 0 },
  { table: 'signInFailures', column: 'until', keptMs: 0 },
  { table: 'oldKeyValues', column: 'endsAt', keptMs: 0 },
  { table: 'usedTokens', column: 'expiresAt', keptMs: 0 },
  { table: 'pairingCodes', column: 'expiresAt', keptMs: day },
  { table: 'pairingFailures', column: 'minute', keptMs: day },
  { table: 'pairRequests', column: 'expiresAt', keptMs: day },
  { table: 'keyRequests', column: 'expiresAt', keptMs: 30 * day },
  // Requests without an account were never opened by anybody, so they go earlier.
  { table: 'keyRequests', column: 'expiresAt', keptMs: day, only: sql`account_id is null` },
  { table: 'oauthRequests', column: 'expiresAt', keptMs: day },
  { table: 'oauthTokens', column: 'endsAt', keptMs: 0 },
  { table: 'headlessSessions', column: 'endedAt', keptMs: day },
  { table: 'credentialEvents', column: 'at', keptMs: day },
  { table: 'usageBatches', column: 'at', keptMs: day },
  { table: 'instances', column: 'seenAt', keptMs: day },
  // One that goes on for longer is told again.
  { table: 'toldTroubles', column: 'at', keptMs: 40 * day },
  { table: 'openConnections', column: 'endedAt', keptMs: day },
];

/** Deletes expired rows. Returns the number of deleted rows by table. */
export async function expire(db: Database, signal: AbortSignal): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {};
  for (const { table, column, keptMs, only = sql`true` } of expiring) {
    const where = sql<boolean>`${sql.ref(column)} < now() - ${keptMs} * interval '1 ms' and ${only}`;
    const count = await deleteInBatches(db, { table, where, signal });
    if (count > 0) deleted[table] = (deleted[table] ?? 0) + count;
  }
  return deleted;
}
