import type { NotificationSettings, NotifiedEvent } from '@tabletop-relay/contract';
import { newId } from '@tabletop-relay/database';
import type { Sealer, Tables } from '@tabletop-relay/database';
import { createWebhookSecret, labelOf } from '@tabletop-relay/notifications';
import type { AddressGuard } from '@tabletop-relay/outbound';
import type { Selectable, Transaction } from 'kysely';
import type { Sender } from '../endpoint-handler.ts';
import { invalidFields } from '../problem.ts';
import type { Records } from '../records/records.ts';
import { auditOf } from '../records/sender.ts';
import { checkSettings } from './check-settings.ts';
import type { WantedSettings } from './check-settings.ts';
import { readSettings, secretContext, urlContext } from './read-settings.ts';
import type { ReadSettingsDeps } from './read-settings.ts';

export interface ChangeSettingsDeps extends ReadSettingsDeps {
  guard: AddressGuard;
  records: Pick<Records, 'auditIn'>;
}

interface Change {
  accountId: string;
  wanted: WantedSettings;
  sender: Sender;
}

type WantedWebhook = WantedSettings['webhooks'][number];

/** Replaces the settings of an account. The secret of a new webhook is in this answer and in no other. */
export async function changeSettings(
  deps: ChangeSettingsDeps,
  change: Change,
): Promise<NotificationSettings> {
  const { accountId, wanted, sender } = change;
  await checkSettings(deps.guard, wanted);
  const secrets = await deps.db.transaction().execute(async (trx) => {
    // Changes of one account follow each other: this row is locked first.
    await writeChoice(trx, accountId, wanted);
    const made = await writeWebhooks(trx, deps, { accountId, wanted: wanted.webhooks });
    await deps.records.auditIn(trx, {
      accountId,
      event: 'notification_settings.changed',
      detail: { webhooks: wanted.webhooks.length },
      ...auditOf(sender),
    });
    return made;
  });
  const settings = await readSettings(deps, accountId);
  return {
    ...settings,
    webhooks: settings.webhooks.map((webhook) => {
      const secret = secrets.get(webhook.id);
      return secret === undefined ? webhook : { ...webhook, secret };
    }),
  };
}

async function writeChoice(
  trx: Transaction<Tables>,
  accountId: string,
  wanted: WantedSettings,
): Promise<void> {
  const chosen = {
    events: (Object.keys(wanted.events) as NotifiedEvent[]).filter((name) => wanted.events[name]),
    emailEnabled: wanted.email.enabled,
    quietFrom: wanted.quietHours?.from ?? null,
    quietTo: wanted.quietHours?.to ?? null,
    timeZone: wanted.quietHours?.timeZone ?? null,
    batchSeconds: wanted.batchSeconds,
  };
  await trx
    .insertInto('notificationSettings')
    .values({ accountId, ...chosen })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(chosen))
    .execute();
}

/** Replaces the stored webhooks by the wanted ones. Resolves with the new secrets by webhook. */
async function writeWebhooks(
  trx: Transaction<Tables>,
  deps: ChangeSettingsDeps,
  { accountId, wanted }: { accountId: string; wanted: readonly WantedWebhook[] },
): Promise<Map<string, string>> {
  const known = await trx
    .selectFrom('webhooks')
    .select(['id', 'kind', 'sealedUrl', 'sealedSecret', 'enabled'])
    .where('accountId', '=', accountId)
    .execute();
  const kept = wanted.map(({ id }) => id).filter((id) => id !== undefined);
  await trx
    .deleteFrom('webhooks')
    .where('accountId', '=', accountId)
    .$if(kept.length > 0, (query) => query.where('id', 'not in', kept))
    .execute();
  const secrets = new Map<string, string>();
  for (const [index, webhook] of wanted.entries()) {
    const former = known.find(({ id }) => id === webhook.id);
    if (webhook.id !== undefined && !former) {
      throw invalidFields([{ field: `webhooks[${index}].id`, message: 'is not one of your webhooks' }]);
    }
    const { row, secret } = planWebhook(deps.sealer, webhook, former);
    if (secret !== undefined) secrets.set(row.id, secret);
    const write = former
      ? trx.updateTable('webhooks').set(row).where('id', '=', row.id).where('accountId', '=', accountId)
      : trx.insertInto('webhooks').values({ ...row, accountId });
    await write.execute();
  }
  return secrets;
}

type KnownWebhook = Pick<
  Selectable<Tables['webhooks']>,
  'id' | 'kind' | 'sealedUrl' | 'sealedSecret' | 'enabled'
>;

/** The columns of a webhook as it is wanted, and its secret where it is new. */
function planWebhook(
  sealer: Sealer,
  { kind, url, enabled }: WantedWebhook,
  former: KnownWebhook | undefined,
) {
  const id = former?.id ?? newId();
  const keptSecret = former?.kind === 'standard' && kind === 'standard' ? former.sealedSecret : null;
  const secret = kind === 'standard' && keptSecret === null ? createWebhookSecret() : undefined;
  const isOn = enabled ?? former?.enabled ?? true;
  const isSame = former?.enabled === isOn && sealer.open(former.sealedUrl, urlContext(id)) === url;
  const row = {
    id,
    kind,
    label: labelOf(url),
    sealedUrl: sealer.seal(url, urlContext(id)),
    sealedSecret: secret === undefined ? keptSecret : sealer.seal(secret, secretContext(id)),
    enabled: isOn,
    // Whoever switches it on, or names another place, has it begin anew.
    ...(!isSame && { failingSince: null, switchedOffAt: null }),
  };
  return { row, secret };
}
