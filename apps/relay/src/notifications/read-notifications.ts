import type { Notification, ToldEvent } from '@tabletop-relay/contract';
import type { Database } from '@tabletop-relay/database';
import type { PageRead } from '@tabletop-relay/kit';

interface NotificationsPage extends PageRead {
  accountId: string;
  status: Notification['status'] | undefined;
}

/** What an account was told or is about to be told, newest first. */
export async function readNotifications(db: Database, page: NotificationsPage): Promise<Notification[]> {
  const { accountId, status, limit, cursor } = page;
  const rows = await db
    .selectFrom('notifications')
    .select(['id', 'createdAt', 'kind', 'label', 'status', 'events', 'eventCount', 'tries'])
    .select(['nextTryAt', 'sentAt', 'answeredAt', 'answerStatus', 'answer'])
    .where('accountId', '=', accountId)
    .$if(status !== undefined, (query) => query.where('status', '=', status as Notification['status']))
    .$if(cursor !== undefined, (query) => query.where('id', '<', cursor as string))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ nextTryAt, sentAt, answeredAt, answerStatus, answer, ...row }) => ({
    ...row,
    events: row.events as unknown as ToldEvent[],
    createdAt: row.createdAt.toISOString(),
    nextTryAt: row.status === 'collecting' || row.status === 'waiting' ? nextTryAt.toISOString() : null,
    sentAt: sentAt?.toISOString() ?? null,
    answer: answeredAt && { at: answeredAt.toISOString(), status: answerStatus, text: answer ?? '' },
  }));
}
