import type { ToldEvent } from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import type { NextAttempt } from '@tabletop-relay/jobs';
import type { Delivery } from '@tabletop-relay/notifications';
import { sql } from 'kysely';
import type { Selectable, Transaction } from 'kysely';
import { deliver, noteWebhook, unreadable } from './deliver.ts';
import type { DeliverDeps } from './deliver.ts';
import { isUrgent, quietHoursOf, whenNotQuiet } from './quiet-hours.ts';
import type { QuietHours } from './quiet-hours.ts';

export interface SendDeps extends DeliverDeps {
  /** Where a receiver changes what it is told of; absent without PUBLIC_URL. */
  settingsUrl: string | undefined;
  /** An attempt that a worker did not end within this is made again. */
  leaseMs: number;
  /** The longest wait of a notification behind others. */
  recheckMs: number;
  random(): number;
}

/** One run of the job of a notification. */
export interface Due {
  id: string;
  /** The attempts of this job, this one included. */
  attempt: number;
  /** As in the payload of a job of the release before. */
  queuedTry?: number | undefined;
}

/** A target that does not answer has so many messages at most; what happens further is collected in the next one. */
const mostWaitingPerTarget = 20;
/** The shortest wait for another notification of the account. */
const shortestWaitMs = 250;

/**
 * Makes one attempt to deliver a notification, and answers when the next one is due; undefined once it was delivered, given up or
 * deleted. A worker that dies in between leaves it leased for `leaseMs`: then it is sent again under its id.
 */
export async function sendNotification(deps: SendDeps, due: Due): Promise<NextAttempt | undefined> {
  const taken = await take(deps, due);
  if (!taken || 'inMs' in taken) return taken;
  const message = {
    id: taken.id,
    at: taken.createdAt,
    events: taken.events as unknown as ToldEvent[],
    eventCount: taken.eventCount,
    // The operator has no such settings.
    ...(deps.settingsUrl !== undefined && taken.accountId !== null && { settingsUrl: deps.settingsUrl }),
  };
  const delivery = await deliver(deps, taken, message);
  if (!delivery) return await giveUp(deps, taken);
  const next = await settle(deps, { taken, delivery, attempt: due.attempt });
  // Its receiver was never asked.
  if (taken.accountId !== null && taken.kind !== 'email' && delivery !== unreadable) {
    await noteWebhook(deps, { id: taken.target, accountId: taken.accountId, delivery });
  }
  return next;
}

type Taken = Pick<
  Selectable<Tables['notifications']>,
  'id' | 'accountId' | 'target' | 'kind' | 'events' | 'eventCount' | 'createdAt' | 'tries' | 'triedSince'
>;

/** Leases the notification for one attempt, or answers when to ask again. */
async function take(deps: SendDeps, due: Due): Promise<Taken | NextAttempt | undefined> {
  return await deps.db.transaction().execute(async (trx) => {
    const row = await readDue(trx, due.id);
    if (!row) return undefined;
    const waitMs = await waitOf(trx, deps, { row, queuedTry: due.queuedTry });
    if (waitMs > 0) return { inMs: waitMs, wasAttempt: false };
    return await trx
      .updateTable('notifications')
      .set({
        status: 'waiting',
        tries: row.tries + 1,
        heldUntil: sql<Date>`now() + ${deps.leaseMs} * interval '1 ms'`,
        triedSince: sql<Date>`coalesce(tried_since, now())`,
      })
      .where('id', '=', due.id)
      .returning(['id', 'accountId', 'target', 'kind', 'events', 'eventCount', 'createdAt'])
      .returning(['tries', 'triedSince'])
      .executeTakeFirstOrThrow();
  });
}

type DueRow = NonNullable<Awaited<ReturnType<typeof readDue>>>;

/** An open notification, and what its account has under way. Its row is locked, and its account for other attempts. */
async function readDue(trx: Transaction<Tables>, id: string) {
  const { rows: locked } = await sql<{ accountId: string | null }>`
    select account_id, pg_advisory_xact_lock(hashtext('notify ' || coalesce(account_id, '')))
    from notifications where id = ${id}`.execute(trx);
  const { rows } = await sql<{
    id: string;
    accountId: string | null;
    status: 'collecting' | 'waiting';
    events: ToldEvent[];
    tries: number;
    nextTryAt: Date;
    dueInMs: number;
    leaseMs: number;
    busyMs: number | null;
    isFull: boolean;
    quietFrom: string | null;
    quietTo: string | null;
    timeZone: string | null;
  }>`
    select id, one.account_id, status, one.events, tries, next_try_at, quiet_from, quiet_to, time_zone,
      1000 * extract(epoch from next_try_at - now())::float8 as due_in_ms,
      1000 * coalesce(extract(epoch from held_until - now()), 0)::float8 as lease_ms,
      (select 1000 * extract(epoch from max(other.held_until) - now())::float8 from notifications other
        where other.held_until > now() and other.id <> one.id and ${isOf(locked[0]?.accountId)}) as busy_ms,
      case when status = 'collecting' then ${mostWaitingPerTarget} <= (
        select count(*) from notifications other
        where other.target = one.target and other.status = 'waiting') else false end as is_full
    from notifications one left join notification_settings chosen on chosen.account_id = one.account_id
    where id = ${id} and status in ('collecting', 'waiting') for update of one`.execute(trx);
  return rows[0];
}

/** Of this account, or of the operator: an index is used for each of them, and not for `is not distinct from`. */
const isOf = (accountId: string | null | undefined) =>
  typeof accountId === 'string' ? sql`other.account_id = ${accountId}` : sql`other.account_id is null`;

/**
 * How long a notification still waits. Each account has one attempt under way, so that slow receivers of one account take nothing
 * from the others: the more of its notifications are due before, and the longer its attempt lasts, the later this one asks again.
 */
async function waitOf(
  trx: Transaction<Tables>,
  { leaseMs, recheckMs, now }: SendDeps,
  { row, queuedTry }: { row: DueRow; queuedTry: number | undefined },
): Promise<number> {
  // The release before leases what it queues.
  const isQueuedBefore = row.status === 'waiting' && queuedTry === row.tries + 1;
  const waitMs = isQueuedBefore ? row.dueInMs : Math.max(row.dueInMs, row.leaseMs);
  if (waitMs > 0) return waitMs;
  if (row.busyMs !== null) {
    const sinceMs = Math.max(shortestWaitMs, leaseMs - row.busyMs);
    return Math.min(recheckMs, sinceMs * (1 + (await countDueBefore(trx, row))));
  }
  if (row.isFull) return recheckMs;
  return row.status === 'collecting' ? await keepQuiet(trx, row, now()) : 0;
}

async function countDueBefore(trx: Transaction<Tables>, { accountId, nextTryAt }: DueRow): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from notifications other
    where other.status in ('collecting', 'waiting') and other.next_try_at < ${nextTryAt} and ${isOf(accountId)}`.execute(
    trx,
  );
  return rows[0]?.count ?? 0;
}

/**
 * What is due goes on collecting where it is quiet now: the hours may have been set since, or no worker ran when it was due. What
 * was sent again by hand waits for nothing.
 */
async function keepQuiet(trx: Transaction<Tables>, row: DueRow, now: number): Promise<number> {
  if (isUrgent(row.events)) return 0;
  const until = whenNotQuiet(new Date(now), quietHoursOf(row));
  if (until.getTime() <= now) return 0;
  await trx.updateTable('notifications').set({ nextTryAt: until }).where('id', '=', row.id).execute();
  return until.getTime() - now;
}

/** There is nobody to send it to any more. What the receiver answered last, if it ever did, stays. */
async function giveUp({ db }: SendDeps, taken: Taken): Promise<undefined> {
  await db
    .updateTable('notifications')
    .set({
      status: 'failed',
      heldUntil: null,
      answeredAt: sql<Date>`coalesce(answered_at, now())`,
      answer: sql<string>`coalesce(answer, 'This webhook or address is off, or was deleted.')`,
    })
    .where('id', '=', taken.id)
    .where('status', '=', 'waiting')
    .where('tries', '=', taken.tries)
    .execute();
}

interface Tried {
  taken: Taken;
  delivery: Delivery;
  attempt: number;
}

/** Writes what became of the attempt. */
async function settle(deps: SendDeps, { taken, delivery, attempt }: Tried): Promise<NextAttempt | undefined> {
  const now = deps.now();
  const { notificationRetryMs: firstMs, notificationGiveUpMs } = deps.settings;
  const { retryAfterMs } = delivery;
  const againAt = new Date(now + retryDelayMs({ attempt, firstMs, retryAfterMs, random: deps.random }));
  const triedMs = againAt.getTime() - (taken.triedSince?.getTime() ?? now);
  const isOver = delivery.isFinal === true || triedMs > notificationGiveUpMs;
  const status = delivery.delivered ? 'sent' : isOver ? 'failed' : 'waiting';
  const isKept = status === 'waiting' && !isUrgent(taken.events as unknown as ToldEvent[]);
  const nextTryAt = isKept ? whenNotQuiet(againAt, await readQuietHours(deps, taken.accountId)) : againAt;
  await deps.db
    .updateTable('notifications')
    .set({
      status,
      heldUntil: null,
      nextTryAt,
      sentAt: delivery.delivered ? new Date(now) : null,
      answeredAt: new Date(now),
      answerStatus: delivery.status,
      answer: delivery.answer,
    })
    .where('id', '=', taken.id)
    .where('status', '=', 'waiting')
    .where('tries', '=', taken.tries)
    .execute();
  return status === 'waiting' ? { inMs: nextTryAt.getTime() - now, wasAttempt: true } : undefined;
}

/** As they are now: they may have been set while the receiver was asked. */
async function readQuietHours({ db }: SendDeps, accountId: string | null): Promise<QuietHours | undefined> {
  if (accountId === null) return undefined;
  const settings = await db
    .selectFrom('notificationSettings')
    .select(['quietFrom', 'quietTo', 'timeZone'])
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return settings && quietHoursOf(settings);
}

const longestMs = 7_200_000;
/** A receiver may ask for a later try, within this. */
const longestAskedMs = 21_600_000;

interface RetryOptions {
  /** The attempts that failed so far. */
  attempt: number;
  firstMs: number;
  retryAfterMs?: number | undefined;
  random(): number;
}

/**
 * How long to wait for the next attempt: twice as long each time, a quarter more or less at random so that not all that failed
 * together come back together, and not before the receiver allows it.
 */
export function retryDelayMs({ attempt, firstMs, retryAfterMs = 0, random }: RetryOptions): number {
  const usual = Math.min(longestMs, firstMs * 2 ** Math.min(attempt - 1, 30));
  return Math.round(Math.max(usual * (0.75 + random() / 2), Math.min(retryAfterMs, longestAskedMs)));
}
