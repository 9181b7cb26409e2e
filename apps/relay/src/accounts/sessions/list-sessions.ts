import type { PageRead } from '@tabletop-relay/kit';
import type { AccountSession } from '@tabletop-relay/contract';
import type { Database } from '@tabletop-relay/database';
import { nameOfBrowser } from '../../records/sender.ts';
import { endOf } from './find-session.ts';

/** The sessions of an account that have not ended, newest first. */
export async function listSessions(
  { db, now }: { db: Database; now(): number },
  accountId: string,
  { limit, cursor }: PageRead,
): Promise<AccountSession[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'createdAt', 'lastUsedAt', 'expiresAt', 'idleExpiresAt', 'userAgent', 'ipAddress'])
    .where('accountId', '=', accountId)
    .where('expiresAt', '>', new Date(now()))
    .where('idleExpiresAt', '>', new Date(now()))
    .$if(cursor !== undefined, (query) => query.where('id', '<', cursor ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    idleExpiresAt: endOf(row).toISOString(),
    device: nameOfBrowser(row.userAgent),
  }));
}
