import type { ToldEvent } from '@tabletop-relay/contract';
import { newId } from '@tabletop-relay/database';
import type { Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { isUrgent, whenNotQuiet } from '../quiet-hours.ts';
import { eventFor, findTargets } from './targets.ts';
import type { Target } from './targets.ts';
import { addTold, readNotices } from './told-events.ts';
import type { Notice, Told } from './told-events.ts';

export interface CollectOptions {
  /** Those of the operator. */
  operatorTargets: readonly Target[];
  sendsMail: boolean;
  /** A notice waits so long, so that a world that goes on to another instance is seen whole. */
  settleMs: number;
  now(): number;
}

export interface Collected {
  /** The number of notices. */
  moved: number;
  /** The notifications that are new or due sooner than before. */
  due: { id: string; delayMs: number }[];
}

const batchSize = 500;
/** So many of the oldest notices are searched for handovers, so that a long outbox is not read anew for each batch. */
const mostSearched = 2_000;
const hourS = 3_600;

/**
 * Moves notices out of the outbox into the notifications that collect for their targets: in one transaction, so that each
 * arrives there once. The caller sees to it that one worker at a time does this.
 */
export async function collectNotices(trx: Transaction<Tables>, options: CollectOptions): Promise<Collected> {
  const notices = await takeNotices(trx, options.settleMs);
  const told = readNotices(notices);
  if (told.length === 0) return { moved: notices.length, due: [] };
  const accountIds = [...new Set(told.map(({ accountId }) => accountId))];
  const targets = await findTargets(trx, accountIds, options.sendsMail);
  const byTarget = new Map<Target, Told[]>();
  for (const one of told) {
    for (const target of [...(targets.get(one.accountId) ?? []), ...options.operatorTargets]) {
      const event = eventFor(target, one);
      if (!event) continue;
      const list = byTarget.get(target) ?? [];
      byTarget.set(target, list);
      list.push({ ...one, event });
    }
  }
  const due = byTarget.size > 0 ? await addToNotifications(trx, byTarget, new Date(options.now())) : [];
  return { moved: notices.length, due };
}

/**
 * Takes the oldest notices that have settled. Two instances write the `connected` and the `handed_over` of a world that goes
 * on, each at its own time. So a `handed_over` goes with the `connected` that it takes back, however young it is, and waits
 * for that one as long again as others settle, and until no `connected` that settled is left behind.
 */
async function takeNotices(trx: Transaction<Tables>, settleMs: number): Promise<Notice[]> {
  const { rows } = await sql<Notice & { id: string }>`
    with due as (
      select id, account_id, record from notices
      where at <= now() - ${settleMs} * interval '1 ms' and record->>'outcome' is distinct from 'handed_over'
      order by id limit ${batchSize}
    ), come as (
      select account_id, record->>'client_id' as client_id, count(*) as times from due
      where record->>'outcome' = 'connected' group by 1, 2
    ), handed_over as (
      select id, at, times, row_number() over (partition by account_id, client_id order by id) as place
      from (
        select id, account_id, at, record->>'outcome' as outcome, record->>'client_id' as client_id
        from notices order by id limit ${mostSearched}
      ) as oldest left join come using (account_id, client_id)
      where outcome = 'handed_over'
    )
    delete from notices where id in (
      select id from due
      union all
      select id from handed_over where place <= times
        or (at <= now() - ${2 * settleMs} * interval '1 ms' and (select count(*) from due) < ${batchSize}))
    returning id, account_id, source, record, (
      select coalesce(nullif(k.custom_name, ''), k.world_title) from known_clients k
      where k.client_id = record->>'client_id' and k.account_id = notices.account_id) as paired_name`.execute(
    trx,
  );
  return rows.toSorted((a, b) => Number(a.id) - Number(b.id));
}

async function addToNotifications(
  trx: Transaction<Tables>,
  byTarget: ReadonlyMap<Target, Told[]>,
  now: Date,
): Promise<Collected['due']> {
  const names = [...byTarget.keys()].map(({ name }) => name);
  const open = await trx
    .selectFrom('notifications')
    .select(['id', 'target', 'events', 'eventCount', 'nextTryAt'])
    .where('status', '=', 'collecting')
    .where('target', 'in', names)
    .forUpdate()
    .execute();
  const openOf = new Map(open.map((row) => [row.target, row]));
  const recent = await countRecent(trx, names);
  const rows = [...byTarget].map(([target, told]) => {
    const known = openOf.get(target.name);
    const dueAt = whenDue(target, told, { now, recent: recent.get(target.name) ?? 0 });
    return {
      id: known?.id ?? newId(now.getTime()),
      accountId: target.accountId,
      target: target.name,
      kind: target.kind,
      label: target.label,
      status: 'collecting' as const,
      events: JSON.stringify(addTold((known?.events ?? []) as unknown as ToldEvent[], told)),
      eventCount: (known?.eventCount ?? 0) + told.length,
      nextTryAt: known && known.nextTryAt < dueAt ? known.nextTryAt : dueAt,
    };
  });
  await trx
    .insertInto('notifications')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({
        events: eb.ref('excluded.events'),
        eventCount: eb.ref('excluded.eventCount'),
        nextTryAt: eb.ref('excluded.nextTryAt'),
      })),
    )
    .execute();
  return rows
    .filter(({ target, nextTryAt }) => {
      const before = openOf.get(target)?.nextTryAt;
      return before === undefined || nextTryAt < before;
    })
    .map(({ id, nextTryAt }) => ({ id, delayMs: nextTryAt.getTime() - now.getTime() }));
}

/** How many messages each target had within the hour. */
async function countRecent(trx: Transaction<Tables>, names: readonly string[]): Promise<Map<string, number>> {
  const rows = await trx
    .selectFrom('notifications')
    .select((eb) => ['target', eb.fn.countAll<string>().as('count')])
    .where('target', 'in', names)
    .where('status', '<>', 'collecting')
    .where('createdAt', '>', sql<Date>`now() - interval '1 hour'`)
    .groupBy('target')
    .execute();
  return new Map(rows.map(({ target, count }) => [target, Number(count)]));
}

/**
 * When a target is told: after its time of collecting, twice as long for each message that it had within the hour, so that
 * what goes on and off all evening comes ever less often. What concerns the account's security waits neither for that nor
 * for the end of quiet hours.
 */
function whenDue(
  { batchSeconds, quietHours }: Target,
  told: readonly Told[],
  { now, recent }: { now: Date; recent: number },
): Date {
  const isNow = isUrgent(told);
  const waitS = isNow ? batchSeconds : Math.max(batchSeconds, Math.min(hourS, batchSeconds * 2 ** recent));
  const at = new Date(now.getTime() + waitS * 1_000);
  return isNow ? at : whenNotQuiet(at, quietHours);
}
