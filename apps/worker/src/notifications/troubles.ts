import type { AuditRecordOf } from '@tabletop-relay/contract';
import { newId } from '@tabletop-relay/database';
import type { Database, Tables } from '@tabletop-relay/database';
import { hostname } from 'node:os';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';

/** More are told by the next run. */
const mostAtOnce = 500;

/**
 * Tells accounts, once, of what goes on until they mend it: keys that have spent their month, expired keys that are still
 * called, webhooks that have failed for a quarter of an hour. What ended and began again is told again. Resolves with how many.
 */
export async function tellTroubles(db: Database): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    const troubles = await takeUntold(trx);
    for (const trouble of troubles) await recordEvent(trx, Date.now(), trouble);
    return troubles.length;
  });
}

async function takeUntold(trx: Transaction<Tables>): Promise<WorkerEvent[]> {
  const { rows } = await sql<WorkerEvent>`
    with month as (
      select date_trunc('month', now() at time zone 'UTC') as start
    ), trouble as (
      select k.account_id, 'api_key.limit_reached' as event, k.id as subject_id,
        jsonb_build_object('name', k.name, 'limit', k.monthly_limit) as detail, start at time zone 'UTC' as since
      from month join key_usage u on u.month = start::date join api_keys k on k.id = u.key_id
      where u.calls >= k.monthly_limit and k.last_used_at > now() - interval '1 hour'
        and (k.expires_at is null or k.expires_at > now())
      union all
      select k.account_id, 'api_key.expired_used', k.id, jsonb_build_object('name', k.name), k.expires_at
      from (
        select distinct key_id from call_hours
        where hour > now() - interval '2 hours' and outcome = 'key_expired'
      ) called join api_keys k on k.id = called.key_id
      where k.expires_at <= now()
      union all
      select account_id, 'webhook.failing', id, jsonb_build_object('label', label), failing_since
      from webhooks where enabled and failing_since <= now() - interval '15 minutes'
    ), untold as (
      select trouble.* from trouble left join told_troubles told using (event, subject_id)
      where told.at is null or told.at < since
      limit ${mostAtOnce}
    ), told as (
      insert into told_troubles (event, subject_id) select event, subject_id from untold
      on conflict (event, subject_id) do update set at = excluded.at
    )
    select account_id, event, subject_id, detail from untold`.execute(trx);
  return rows;
}

export interface WorkerEvent {
  event: 'api_key.limit_reached' | 'api_key.expired_used' | 'webhook.failing' | 'webhook.switched_off';
  accountId: string;
  subjectId: string;
  detail: AuditRecordOf<WorkerEvent['event']>['detail'];
}

/** Writes an entry of the audit log that the relay itself causes, and the notice of it. Nothing where the account is gone. */
export async function recordEvent(
  trx: Transaction<Tables>,
  now: number,
  { event, accountId, subjectId, detail }: WorkerEvent,
): Promise<void> {
  await sql`
    with recorded as (
      insert into audit_log (id, at, account_id, event, outcome, actor, client_id, subject_id, ip_address,
        user_agent, detail, instance_id)
      select ${newId(now)}, ${new Date(now)}, id, ${event}, 'ok', 'relay', null, ${subjectId}, '', '',
        ${JSON.stringify(detail)}::jsonb, ${`${hostname()}-worker`}
      from accounts where id = ${accountId} for key share
      returning *)
    insert into notices (account_id, source, record)
    select account_id, 'audit_log', to_jsonb(recorded) from recorded`.execute(trx);
}
