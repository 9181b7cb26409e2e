import type { Database } from '@tabletop-relay/database';
import { sql } from 'kysely';
import { ProblemError } from '../problem.ts';

/** Has a notification that was sent or given up tried anew, for as long as a new one. */
export async function sendAgain(
  db: Database,
  { accountId, id }: { accountId: string; id: string },
): Promise<void> {
  const changed = await db
    .updateTable('notifications')
    .set({ status: 'waiting', nextTryAt: sql<Date>`now()`, heldUntil: null, triedSince: null })
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('status', 'in', ['sent', 'failed'])
    .returning('id')
    .executeTakeFirst();
  if (changed) return;
  const known = await db
    .selectFrom('notifications')
    .select('id')
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  if (!known) throw new ProblemError('not_found', 'You have no such notification.');
  throw new ProblemError('conflict', 'This notification is being sent already.');
}
