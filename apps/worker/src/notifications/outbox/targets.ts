import { notificationDefaults, operationalEvents } from '@tabletop-relay/contract';
import type { ToldEventName, WebhookKind } from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import { labelOf } from '@tabletop-relay/notifications';
import type { Transaction } from 'kysely';
import type { NotificationSettings } from '../notification-settings.ts';
import { quietHoursOf } from '../quiet-hours.ts';
import type { QuietHours } from '../quiet-hours.ts';

/** Something that is told of events. */
export interface Target {
  /** As in the table of notifications. */
  name: string;
  /** Null: the operator's. */
  accountId: string | null;
  kind: WebhookKind | 'email';
  label: string;
  events: readonly string[];
  quietHours: QuietHours | undefined;
  batchSeconds: number;
}

export const emailTarget = (accountId: string) => `email:${accountId}`;
export const operatorWebhook = 'operator:webhook';
export const operatorMail = 'operator:email';

/** The targets of these accounts: their webhooks that are on, and their confirmed addresses if the worker sends mail. */
export async function findTargets(
  trx: Transaction<Tables>,
  accountIds: readonly string[],
  sendsMail: boolean,
): Promise<Map<string, Target[]>> {
  const accounts = await trx
    .selectFrom('accounts')
    .leftJoin('notificationSettings as chosen', 'chosen.accountId', 'accounts.id')
    .select(['accounts.id', 'email', 'emailProvenAt', 'events', 'emailEnabled'])
    .select(['quietFrom', 'quietTo', 'timeZone', 'batchSeconds'])
    .where('accounts.id', 'in', accountIds)
    .execute();
  const webhooks = await trx
    .selectFrom('webhooks')
    .select(['id', 'accountId', 'kind', 'label'])
    .where('accountId', 'in', accountIds)
    .where('enabled', '=', true)
    .execute();
  const hooksOf = Map.groupBy(webhooks, ({ accountId }) => accountId);
  return new Map(
    accounts.map(({ id: accountId, email, emailProvenAt, ...row }) => {
      const shared = {
        accountId,
        events: row.events ?? notificationDefaults.events,
        quietHours: quietHoursOf(row),
        batchSeconds: row.batchSeconds ?? notificationDefaults.batchSeconds,
      };
      const hooks = (hooksOf.get(accountId) ?? []).map(({ id, kind, label }) => ({
        ...shared,
        name: id,
        kind,
        label,
      }));
      const isMailed =
        sendsMail && emailProvenAt !== null && (row.emailEnabled ?? notificationDefaults.emailEnabled);
      const mail = { ...shared, name: emailTarget(accountId), kind: 'email' as const, label: email };
      return [accountId, isMailed ? [...hooks, mail] : hooks];
    }),
  );
}

/** The targets that the settings name: they hear of the worlds of all accounts. */
export function operatorTargets(settings: NotificationSettings): Target[] {
  const { operatorWebhookUrl, operatorWebhookKind, operatorEmail, operatorBatchSeconds } = settings;
  const shared = {
    accountId: null,
    events: operationalEvents,
    quietHours: undefined,
    batchSeconds: operatorBatchSeconds,
  };
  return [
    ...(operatorWebhookUrl
      ? [{ ...shared, name: operatorWebhook, kind: operatorWebhookKind, label: labelOf(operatorWebhookUrl) }]
      : []),
    ...(operatorEmail
      ? [{ ...shared, name: operatorMail, kind: 'email' as const, label: operatorEmail }]
      : []),
  ];
}

/** The event that the target is told of here; undefined where it wants none. */
export function eventFor(
  { events }: Pick<Target, 'events'>,
  told: { event: ToldEventName; otherwise?: ToldEventName },
): ToldEventName | undefined {
  return [told.event, told.otherwise].find(
    (name) => name !== undefined && events.includes(name === 'attention' ? 'security' : name),
  );
}
