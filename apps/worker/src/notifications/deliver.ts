import { notificationDefaults } from '@tabletop-relay/contract';
import type { Database, Sealer } from '@tabletop-relay/database';
import { deliverMail, deliverWebhook } from '@tabletop-relay/notifications';
import type { Delivery, Message, SendMail, WebhookTarget } from '@tabletop-relay/notifications';
import type { AddressGuard } from '@tabletop-relay/outbound';
import { sql } from 'kysely';
import type { NotificationSettings } from './notification-settings.ts';
import { emailTarget, operatorMail, operatorWebhook } from './outbox/targets.ts';
import { recordEvent } from './troubles.ts';

export interface DeliverDeps {
  db: Database;
  sealer: Sealer;
  guard: AddressGuard;
  /** Absent where there is no mail server. */
  sendMail: SendMail | undefined;
  /** The host of PUBLIC_URL; goes into the ids of mails. */
  domain: string;
  settings: NotificationSettings;
  now(): number;
}

interface Addressed {
  target: string;
  accountId: string | null;
}

/**
 * Tries a message once at its target, as the target is now. Undefined where the target is off or gone. A webhook that this
 * worker cannot open is another try's: RELAY_SECRET will be mended, or another worker has it.
 */
export async function deliver(
  deps: DeliverDeps,
  { target, accountId }: Addressed,
  message: Message,
): Promise<Delivery | undefined> {
  const { guard, settings, sendMail, domain } = deps;
  if (target === operatorMail || (accountId !== null && target === emailTarget(accountId))) {
    const to = accountId === null ? settings.operatorEmail : await findAddress(deps.db, accountId);
    return to === undefined || !sendMail ? undefined : await deliverMail({ sendMail, to, message, domain });
  }
  const webhook = target === operatorWebhook ? ownWebhook(settings) : await findWebhook(deps, target);
  const timeoutMs = settings.notificationTimeoutMs;
  if (webhook === 'sealed') return unreadable;
  return webhook && (await deliverWebhook({ guard, target: webhook, message, timeoutMs }));
}

/** For the owner of the webhook, who cannot mend it. */
export const unreadable: Delivery = {
  delivered: false,
  status: null,
  answer:
    'The relay cannot read this webhook at the moment, which only its operator can mend (RELAY_SECRET). It is tried again.',
  sent: '',
};

async function findAddress(db: Database, accountId: string): Promise<string | undefined> {
  const account = await db
    .selectFrom('accounts')
    .leftJoin('notificationSettings as chosen', 'chosen.accountId', 'accounts.id')
    .select(['email', 'emailEnabled'])
    .where('accounts.id', '=', accountId)
    .where('emailProvenAt', 'is not', null)
    .executeTakeFirst();
  return account && (account.emailEnabled ?? notificationDefaults.emailEnabled) ? account.email : undefined;
}

async function findWebhook(
  { db, sealer }: DeliverDeps,
  id: string,
): Promise<WebhookTarget | 'sealed' | undefined> {
  const row = await db
    .selectFrom('webhooks')
    .select(['kind', 'sealedUrl', 'sealedSecret'])
    .where('id', '=', id)
    .where('enabled', '=', true)
    .executeTakeFirst();
  if (!row || (row.kind === 'standard' && row.sealedSecret === null)) return undefined;
  const url = sealer.open(row.sealedUrl, `webhook url ${id}`);
  const secret =
    row.sealedSecret === null ? undefined : sealer.open(row.sealedSecret, `webhook secret ${id}`);
  // Without its secret the receiver could not tell who sent the message.
  if (url === undefined || (row.kind === 'standard' && secret === undefined)) return 'sealed';
  return { kind: row.kind, url, secret };
}

function ownWebhook(settings: NotificationSettings): WebhookTarget | undefined {
  const { operatorWebhookUrl: url, operatorWebhookKind: kind, operatorWebhookSecret } = settings;
  return url === undefined
    ? undefined
    : { kind, url, secret: kind === 'standard' ? operatorWebhookSecret : undefined };
}

interface Noted {
  id: string;
  accountId: string;
  delivery: Pick<Delivery, 'delivered'>;
}

/** Notes whether a webhook works. One that has failed for too long is switched off, and its owner is told. */
export async function noteWebhook(
  deps: Pick<DeliverDeps, 'db' | 'settings' | 'now'>,
  { id, accountId, delivery }: Noted,
): Promise<void> {
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
