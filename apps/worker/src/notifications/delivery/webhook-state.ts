import type { Database } from '@tabletop-relay/database';
import type { Delivery } from '@tabletop-relay/notifications';
import { sql } from 'kysely';
import type { NotificationSettings } from '../notification-settings.ts';
import { recordEvent } from '../record-event.ts';

export interface WebhookStateDeps {
  db: Database;
  settings: Pick<NotificationSettings, 'webhookOffAfterMs'>;
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
    if (!off) return;
    // It goes to the account's other targets.
    const detail = { label: off.label };
    await recordEvent(trx, deps.now(), { event: 'webhook.switched_off', accountId, subjectId: id, detail });
  });
}
