import { auditWords, connectionWords } from '@tabletop-relay/contract';
import type { Attention, AuditRecordOf } from '@tabletop-relay/contract';
import type { Database } from '@tabletop-relay/database';
import { readAccount } from '../accounts/read-account.ts';
import { readExpiredCalls } from '../call-log/hours/expired-calls.ts';
import { readKeysInTrouble } from '../keys/keys-of-account.ts';
import { readWaitingBrowsers } from '../records/connections/waiting-browsers.ts';

/** An expired key needs attention if it was called within this time. */
const expiredCallsMs = 24 * 3_600_000;

/**
 * All that needs a person of the account, what blocks most first. Each has the sentence of the entry that the logs and the
 * notifications have of it.
 */
export async function readAttention(
  db: Database,
  { accountId, now }: { accountId: string; now: number },
): Promise<Attention[]> {
  const [account, keys, webhooks, browsers] = await Promise.all([
    readAccount(db, accountId),
    readKeys(db, { accountId, now }),
    readWebhooks(db, accountId),
    readWaitingBrowsers(db, accountId),
  ]);
  return [
    ...(account.rotationRequired ? [itemOf('rotation', 'account.rotation_forced', {}, noPlace)] : []),
    ...keys,
    ...webhooks,
    ...browsers.map((log): Attention => ({
      kind: 'browser',
      sentence: connectionWords(log).sentence,
      subjectId: log.clientId,
      since: log.at.toISOString(),
    })),
  ];
}

const noPlace = { subjectId: null, since: null };

type Told =
  | 'account.rotation_forced'
  | 'api_key.limit_reached'
  | 'api_key.expired_used'
  | 'webhook.failing'
  | 'webhook.switched_off';

function itemOf<E extends Told>(
  kind: Attention['kind'],
  event: E,
  detail: AuditRecordOf<E>['detail'],
  place: Pick<Attention, 'subjectId' | 'since'>,
): Attention {
  return { kind, ...place, sentence: auditWords({ event, outcome: 'ok', detail: detail ?? {} }).sentence };
}

async function readKeys(db: Database, { accountId, now }: { accountId: string; now: number }) {
  const expiredCalls = await readExpiredCalls(db, { accountId, since: new Date(now - expiredCallsMs) });
  const keys = await readKeysInTrouble(db, { accountId, now, tried: [...expiredCalls.keys()] });
  return keys.map(({ id, name, monthlyLimit, expiresAt }): Attention => {
    const isExpired = expiresAt !== null && expiresAt.getTime() <= now;
    if (isExpired)
      return itemOf('expiredKey', 'api_key.expired_used', { name }, place(id, expiresAt.toISOString()));
    return itemOf('keyLimit', 'api_key.limit_reached', { name, limit: monthlyLimit ?? 0 }, place(id, null));
  });
}

const place = (subjectId: string, since: string | null) => ({ subjectId, since });

async function readWebhooks(db: Database, accountId: string): Promise<Attention[]> {
  const webhooks = await db
    .selectFrom('webhooks')
    .select(['id', 'label', 'enabled', 'failingSince', 'switchedOffAt'])
    .where('accountId', '=', accountId)
    .where((or) => or.or([or('failingSince', 'is not', null), or('switchedOffAt', 'is not', null)]))
    .orderBy('id')
    .execute();
  return webhooks.flatMap(({ id, label, enabled, failingSince, switchedOffAt }) => {
    const since = (enabled ? failingSince : switchedOffAt)?.toISOString();
    if (since === undefined) return [];
    const event = enabled ? 'webhook.failing' : 'webhook.switched_off';
    return [itemOf('webhook', event, { label }, place(id, since))];
  });
}
