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

/** Looking at more is for the command line: there is no index of those that were given up. */
const looked = 10_000;

/** What became of the newest notifications of all accounts, and the last `limit` of those that were given up. */
export async function readRecentDeadLetters(db: Database, limit: number) {
  const recent = () =>
    db.selectFrom('notifications').select(['id', 'status']).orderBy('id', 'desc').limit(looked);
  const isPending = sql`status in ('collecting', 'waiting')`;
  const { rows } = await sql<{ looked: number; pending: number; failed: number }>`
    select count(*)::int as looked, (count(*) filter (where ${isPending}))::int as pending,
      (count(*) filter (where status = 'failed'))::int as failed
    from ${recent()} as recent`.execute(db);
  const letters = await db
    .selectFrom('notifications')
    .select(['accountId', 'kind', 'tries', 'createdAt', 'answerStatus'])
    .where(
      'id',
      'in',
      sql<string>`(select id from ${recent()} as recent where status = 'failed'
      order by id desc limit ${limit})`,
    )
    .orderBy('id', 'desc')
    .execute();
  return { ...(rows[0] ?? { looked: 0, pending: 0, failed: 0 }), letters };
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
