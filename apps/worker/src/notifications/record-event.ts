import type { AuditRecordOf } from '@tabletop-relay/contract';
import { hostname } from 'node:os';
import { newId } from '@tabletop-relay/database';
import type { Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';

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
