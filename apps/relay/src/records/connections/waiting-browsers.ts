import type { Database } from '@tabletop-relay/database';
import { sql } from 'kysely';

/** A module whose world is held by another browser tries again every 30 s, and its tries of a minute are one row. */
const waitsFor = sql`interval '3 minutes'`;
const most = 20;

/** The last refusal of each world of the account to which a browser tries to connect while another holds it. */
export async function readWaitingBrowsers(db: Database, accountId: string) {
  const rows = await db
    .selectFrom('connectionLogs')
    .distinctOn('clientId')
    .select(['clientId', 'at', 'outcome', 'worldTitle', 'tokenName'])
    .where('accountId', '=', accountId)
    .where('outcome', '=', 'duplicate')
    .where('at', '>', sql<Date>`now() - ${waitsFor}`)
    .orderBy('clientId')
    .orderBy('at', 'desc')
    .limit(most)
    .execute();
  return rows.map((row) => ({ ...row, metadataMatch: null, mismatch: [], attempts: 1 }));
}
