import { describeActingUsers } from '@tabletop-relay/contract';
import type { ApiKey, AuditRecordOf, apiKeyEndpoints } from '@tabletop-relay/contract';
import type { Database, Tables } from '@tabletop-relay/database';
import type { Transaction } from 'kysely';
import type { Announce } from '../credentials/changes/credential-feed.ts';
import type { HandlersOf, Sender } from '../endpoint-handler.ts';
import { liftPause, readSetPauses, setPause } from '../pauses/set-pause.ts';
import { paged } from '@tabletop-relay/kit';
import type { PageRead } from '@tabletop-relay/kit';
import { auditOf } from '../records/sender.ts';
import { reachedBy } from '../worlds/acting-users.ts';
import { endOldValueNow, rollApiKey } from './roll-key.ts';
import { monthOf } from './month.ts';
import { createApiKey, keyNotFound, updateApiKey } from './write-key.ts';
import type { ApiKeyDeps } from './write-key.ts';

async function readApiKeys(
  db: Database,
  input: PageRead & { accountId: string; now: number; id?: string },
): Promise<ApiKey[]> {
  const month = monthOf(input.now).start;
  const rows = await db
    .selectFrom('apiKeys')
    .leftJoin('keyUsage', (join) => join.onRef('keyId', '=', 'apiKeys.id').on('keyUsage.month', '=', month))
    .leftJoin('oldKeyValues as old', (join) =>
      join.onRef('old.keyId', '=', 'apiKeys.id').on('old.endsAt', '>', new Date(input.now)),
    )
    .select(['id', 'name', 'apiKeys.hint', 'scopes', 'actingUserIds', 'monthlyLimit', 'expiresAt'])
    .select(reachedBy<string[] | null>('client_ids').as('clientIds'))
    .select(['apiKeys.lastUsedAt', 'createdAt', 'calls', 'refused', 'reachesPaused'])
    .leftJoin('oauthGrants as grant', 'grant.keyId', 'apiKeys.id')
    .select('host')
    .select(['old.hint as oldHint', 'old.endsAt as oldEndsAt', 'old.lastUsedAt as oldUsedAt'])
    .where('accountId', '=', input.accountId)
    .$if(input.cursor !== undefined, (query) => query.where('id', '<', input.cursor ?? ''))
    .$if(input.id !== undefined, (query) => query.where('id', '=', input.id ?? ''))
    .orderBy('id', 'desc')
    .limit(input.limit)
    .execute();
  const pauses = await readSetPauses(db, input.accountId);
  return rows.map(({ calls, refused, oldHint, oldEndsAt, oldUsedAt, host, ...row }) => ({
    ...row,
    ...describeActingUsers(row.actingUserIds),
    signedIn: host === null ? null : { host },
    usedThisMonth: Number(calls ?? 0),
    refusedThisMonth: Number(refused ?? 0),
    pause: pauses.find(({ keyId }) => keyId === row.id)?.pause ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    oldValue: oldEndsAt && {
      hint: oldHint ?? '',
      endsAt: oldEndsAt.toISOString(),
      lastUsedAt: oldUsedAt?.toISOString() ?? null,
    },
    createdAt: row.createdAt.toISOString(),
  }));
}

/** The actor who revokes a key, the sender of the request, and the reason. */
type KeyRevocation = Pick<AuditRecordOf<'api_key.revoked'>, 'actor' | 'detail'> & Partial<Sender>;

/** Revokes a key on every instance; false if the account has no key by that id. `record` has the actor and the reason. */
export async function revokeApiKey(
  deps: Pick<ApiKeyDeps, 'feed' | 'records'>,
  { accountId, id, record }: { accountId: string; id: string; record: KeyRevocation },
): Promise<boolean> {
  return await deps.feed.change((trx, announce) =>
    revokeApiKeyIn(trx, deps, { accountId, id, record, announce }),
  );
}

/** As `revokeApiKey`, within a transaction. */
export async function revokeApiKeyIn(
  trx: Transaction<Tables>,
  { records }: Pick<ApiKeyDeps, 'records'>,
  {
    accountId,
    id,
    record,
    announce,
  }: { accountId: string; id: string; record: KeyRevocation; announce: Announce },
): Promise<boolean> {
  const deleted = await trx
    .deleteFrom('apiKeys')
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  if (deleted.numDeletedRows === 0n) return false;
  announce({ accountId, subject: 'key', subjectId: id, change: 'revoked' });
  await records.auditIn(trx, { accountId, event: 'api_key.revoked', subjectId: id, ...record });
  return true;
}

export function apiKeyHandlers(deps: ApiKeyDeps): HandlersOf<typeof apiKeyEndpoints> {
  const { db, now } = deps;

  async function readOne(accountId: string, id: string): Promise<ApiKey> {
    const [key] = await readApiKeys(db, { accountId, now: now(), limit: 1, id });
    if (!key) throw keyNotFound();
    return key;
  }

  const pausing =
    (change: typeof setPause): HandlersOf<typeof apiKeyEndpoints>['pauseApiKey'] =>
    async ({ params: { id } }, { session: { accountId }, sender }) => {
      const who = { actor: 'session', ...auditOf(sender) } as const;
      await change(deps, { accountId, subject: { keyId: id }, who });
      return await readOne(accountId, id);
    };

  return {
    listApiKeys: ({ query }, { session: { accountId } }) =>
      paged(query, (page) => readApiKeys(db, { accountId, now: now(), ...page })),

    async createApiKey({ body }, { session, sender }) {
      const { id, apiKey } = await createApiKey(deps, { session, body, sender });
      return { ...(await readOne(session.accountId, id)), apiKey, key: apiKey };
    },

    async updateApiKey({ params: { id }, body }, { session, sender }) {
      await updateApiKey(deps, { session, id, body, sender });
      return await readOne(session.accountId, id);
    },

    async rollApiKey({ params: { id }, body: { keepOldSeconds = 0 } }, { session, sender }) {
      const apiKey = await rollApiKey(deps, { session, id, keepOldSeconds, sender });
      if (apiKey === undefined) throw keyNotFound();
      return { ...(await readOne(session.accountId, id)), apiKey, key: apiKey };
    },

    pauseApiKey: pausing(setPause),
    resumeApiKey: pausing(liftPause),

    async endOldApiKeyValue({ params: { id } }, { session: { accountId }, sender }) {
      await readOne(accountId, id);
      await endOldValueNow(deps, { accountId, id, sender });
      return {};
    },

    async revokeApiKey({ params: { id } }, { session: { accountId }, sender }) {
      const record = { actor: 'session' as const, ...auditOf(sender) } as const;
      if (!(await revokeApiKey(deps, { accountId, id, record }))) throw keyNotFound();
      return {};
    },
  };
}
