import type { Database } from '@tabletop-relay/database';
import { sql } from 'kysely';

interface DeadLettersPage {
  /** Absent: those of all accounts. */
  accountId?: string;
  limit: number;
}

/** Notifications that were given up, the last one first. What they told stays with their owner. */
export async function readDeadLetters(db: Database, { accountId, limit }: DeadLettersPage) {
  return await db
    .selectFrom('notifications')
    .select([
      'id',
      'accountId',
      'kind',
      'label',
      'tries',
      'createdAt',
      'answeredAt',
      'answerStatus',
      'answer',
    ])
    .where('status', '=', 'failed')
    .$if(accountId !== undefined, (query) => query.where('accountId', '=', accountId ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Has one of them tried anew, or all, for as long as a new one. Answers how many. */
export async function sendDeadLetters(db: Database, which: { id: string } | 'all'): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('notifications')
    .set({ status: 'waiting', nextTryAt: sql<Date>`now()`, heldUntil: null, triedSince: null })
    .where('status', '=', 'failed')
    .$if(which !== 'all', (query) => query.where('id', '=', which === 'all' ? '' : which.id))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
