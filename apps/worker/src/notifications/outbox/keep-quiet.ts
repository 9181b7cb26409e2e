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

/** The same in Postgres: a list that contains this. */
const urgent = JSON.stringify([{ event: 'security' }]);

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
 * due. Of many that are due only the hours are read, each once: their events would be megabytes in each step.
 */
export async function keepQuiet(trx: Transaction<Tables>, now: Date): Promise<void> {
  const chosen = await trx
    .selectFrom('notifications')
    .innerJoin('notificationSettings as chosen', 'chosen.accountId', 'notifications.accountId')
    .select(['quietFrom', 'quietTo', 'timeZone'])
    .distinct()
    .where('status', '=', 'collecting')
    .where('nextTryAt', '<=', sql<Date>`now()`)
    .where('quietFrom', 'is not', null)
    .execute();
  const untilOf = (hours: (typeof chosen)[number]): number =>
    whenNotQuiet(now, quietHoursOf(hours)).getTime();
  for (const [until, hours] of Map.groupBy(chosen, untilOf)) {
    if (until <= now.getTime()) continue;
    const columns = (['quietFrom', 'quietTo', 'timeZone'] as const).map(
      (name) => sql`${hours.map((one) => one[name])}::text[]`,
    );
    await sql`
      update notifications set next_try_at = ${new Date(until)} from notification_settings chosen
      where chosen.account_id = notifications.account_id and status = 'collecting' and next_try_at <= now()
        and (quiet_from, quiet_to, time_zone) in (select * from unnest(${sql.join(columns)}))
        and not notifications.events @> ${urgent}::jsonb`.execute(trx);
  }
}
