import { notificationDefaults, notifiedEventNames } from '@tabletop-relay/contract';
import type { NotificationSettings, NotifiedEvent } from '@tabletop-relay/contract';
import type { Database, Sealer } from '@tabletop-relay/database';
import { sealedColumn } from '../credentials/sealed-column.ts';

export interface ReadSettingsDeps {
  db: Database;
  sealer: Sealer;
  /** Whether there is a mail server. */
  sendsMail: boolean;
}

/** What an account is told of, and where: its own choice, or the defaults. */
export async function readSettings(deps: ReadSettingsDeps, accountId: string): Promise<NotificationSettings> {
  const row = await deps.db
    .selectFrom('notificationSettings')
    .selectAll()
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  const {
    quietFrom: from,
    quietTo: to,
    timeZone,
  } = row ?? { quietFrom: null, quietTo: null, timeZone: null };
  const events: readonly string[] = row?.events ?? notificationDefaults.events;
  return {
    events: Object.fromEntries(notifiedEventNames.map((name) => [name, events.includes(name)])) as Record<
      NotifiedEvent,
      boolean
    >,
    webhooks: await readWebhooks(deps, accountId),
    email: { enabled: row?.emailEnabled ?? notificationDefaults.emailEnabled, available: deps.sendsMail },
    ...(from !== null && to !== null && timeZone !== null && { quietHours: { from, to, timeZone } }),
    batchSeconds: row?.batchSeconds ?? notificationDefaults.batchSeconds,
  };
}

async function readWebhooks({ db, sealer }: ReadSettingsDeps, accountId: string) {
  const rows = await db
    .selectFrom('webhooks')
    .select(['id', 'kind', 'label', 'sealedUrl', 'enabled', 'failingSince', 'switchedOffAt'])
    .where('accountId', '=', accountId)
    .orderBy('id')
    .execute();
  return rows.map(({ label, sealedUrl, ...row }) => ({
    ...row,
    // After a change of RELAY_SECRET it has to be entered anew.
    url: sealer.open(sealedUrl, urlContext(row.id)) ?? `https://${label}/`,
    failingSince: row.failingSince?.toISOString() ?? null,
    switchedOffAt: row.switchedOffAt?.toISOString() ?? null,
  }));
}

/** What is sealed opens only as what it was sealed for. */
export const urlContext = (webhookId: string) => `webhook url ${webhookId}`;
export const secretContext = (webhookId: string) => `webhook secret ${webhookId}`;

export const sealedWebhooks = [
  sealedColumn('webhooks', {
    holds: 'addresses of webhooks',
    column: 'sealedUrl',
    contextOf: ({ id }) => urlContext(id),
  }),
  sealedColumn('webhooks', {
    holds: 'secrets of webhooks',
    column: 'sealedSecret',
    contextOf: ({ id }) => secretContext(id),
  }),
];
