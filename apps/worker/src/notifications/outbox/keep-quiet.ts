import type { ToldEvent } from '@tabletop-relay/contract';
import type { Database, Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { whenNotQuiet } from './quiet-hours.ts';
import type { QuietHours } from './quiet-hours.ts';

/** The quiet hours in a row of the settings; undefined where there are none. */
export function quietHoursOf({
  quietFrom: from,
  quietTo: to,
  timeZone,
}: {
  quietFrom: string | null;
  quietTo: string | null;
  timeZone: string | null;
}): QuietHours | undefined {
  return from !== null && to !== null && timeZone !== null ? { from, to, timeZone } : undefined;
}

/** What concerns the account's security does not wait for the end of quiet hours. */
export const isUrgent = (events: readonly Pick<ToldEvent, 'event'>[]): boolean =>
  events.some(({ event }) => event === 'security');

/** The first moment from `at` on at which an account may be told of these events. */
export async function whenMayTell(
  db: Database,
  { accountId, events }: { accountId: string | null; events: readonly ToldEvent[] },
  at: Date,
): Promise<Date> {
  if (accountId === null || isUrgent(events)) return at;
  const settings = await db
    .selectFrom('notificationSettings')
    .select(['quietFrom', 'quietTo', 'timeZone'])
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return whenNotQuiet(at, settings && quietHoursOf(settings));
}

/**
 * What is due goes on collecting where it is quiet now: the hours may have been set since, or no worker ran when it was
 * due. A target has one such notification at most, which bounds what is read.
 */
export async function keepQuiet(trx: Transaction<Tables>, now: Date): Promise<void> {
  const due = await trx
    .selectFrom('notifications')
    .innerJoin('notificationSettings as chosen', 'chosen.accountId', 'notifications.accountId')
    .select(['notifications.id', 'notifications.events', 'quietFrom', 'quietTo', 'timeZone'])
    .where('status', '=', 'collecting')
    .where('nextTryAt', '<=', sql<Date>`now()`)
    .where('quietFrom', 'is not', null)
    .execute();
  const waiting = due.filter(({ events }) => !isUrgent(events as unknown as ToldEvent[]));
  const untilOf = (row: (typeof due)[number]): number => whenNotQuiet(now, quietHoursOf(row)).getTime();
  for (const [until, rows] of Map.groupBy(waiting, untilOf)) {
    if (until <= now.getTime()) continue;
    await trx
      .updateTable('notifications')
      .set({ nextTryAt: new Date(until) })
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
      .execute();
  }
}
