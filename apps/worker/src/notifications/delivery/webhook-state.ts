import { newId } from '@tabletop-relay/database';
import type { Database, Tables } from '@tabletop-relay/database';
import type { Delivery } from '@tabletop-relay/notifications';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { NotificationSettings } from '../notification-settings.ts';

export interface WebhookStateDeps {
  db: Database;
  settings: Pick<NotificationSettings, 'webhookOffAfterMs'>;
  instanceId: string;
  now(): number;
}

interface Noted {
  id: string;
  accountId: string;
  delivery: Pick<Delivery, 'delivered'>;
}

/** Notes whether a webhook works. One that has failed for too long is switched off, and its owner is told. */
export async function noteWebhook(deps: WebhookStateDeps, { id, accountId, delivery }: Noted): Promise<void> {
  const { db, settings } = deps;
  if (delivery.delivered) {
    await db
      .updateTable('webhooks')
      .set({ failingSince: null })
      .where('id', '=', id)
      .where('failingSince', 'is not', null)
      .execute();
    return;
  }
  await db.transaction().execute(async (trx) => {
    await trx
      .updateTable('webhooks')
      .set({ failingSince: sql<Date>`coalesce(failing_since, now())` })
      .where('id', '=', id)
      .execute();
    const off = await trx
      .updateTable('webhooks')
      .set({ enabled: false, switchedOffAt: sql<Date>`now()` })
      .where('id', '=', id)
      .where('enabled', '=', true)
      .where('failingSince', '<=', sql<Date>`now() - ${settings.webhookOffAfterMs} * interval '1 ms'`)
      .returning('label')
      .executeTakeFirst();
    if (off) await recordSwitchedOff(trx, deps, { id, accountId, label: off.label });
  });
}

/** The entry of the audit log and the notice of it, which goes to the account's other targets. */
async function recordSwitchedOff(
  trx: Transaction<Tables>,
  { instanceId, now }: WebhookStateDeps,
  { id, accountId, label }: { id: string; accountId: string; label: string },
): Promise<void> {
  await sql`
    with recorded as (
      insert into audit_log (id, at, account_id, event, outcome, actor, client_id, subject_id, ip_address,
        user_agent, detail, instance_id)
      select ${newId(now())}, ${new Date(now())}, id, 'webhook.switched_off', 'ok', 'relay', null, ${id}, '', '',
        ${JSON.stringify({ label })}::jsonb, ${instanceId}
      from accounts where id = ${accountId} for key share
      returning *)
    insert into notices (account_id, source, record)
    select account_id, 'audit_log', to_jsonb(recorded) from recorded`.execute(trx);
}
