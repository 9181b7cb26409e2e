import type { Tables } from '@tabletop-relay/database';
import type { Transaction } from 'kysely';
import type { Announce } from '../../credentials/changes/credential-feed.ts';

/** Ends the account's sessions but one, and answers how many. One event tells all instances, however many there were. */
export async function endOtherSessions(
  trx: Transaction<Tables>,
  announce: Announce,
  accountId: string,
  keep = '',
): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('sessions')
    .where('accountId', '=', accountId)
    .where('id', '!=', keep)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return 0;
  announce({
    accountId,
    subject: 'account',
    subjectId: keep || accountId,
    change: 'sessions_ended',
  });
  return Number(numDeletedRows);
}
