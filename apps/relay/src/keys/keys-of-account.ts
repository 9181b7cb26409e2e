import type { Database, Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { AccountPart, CountOfAccount } from '../accounts/account-part.ts';
import { monthOf } from './month.ts';

export const keysOfAccount: AccountPart = {
  async readForExport(db, accountId) {
    const keys = db
      .selectFrom('apiKeys')
      .select(['id', 'name', 'hint', 'scopes', 'clientIds', 'actingUserIds', 'monthlyLimit', 'expiresAt'])
      .select(['lastUsedAt', 'createdAt'])
      .where('accountId', '=', accountId)
      .execute();
    const usage = db
      .selectFrom('keyUsage')
      .innerJoin('apiKeys', 'apiKeys.id', 'keyId')
      .select(['keyId', 'month', 'calls', 'refused'])
      .where('accountId', '=', accountId)
      .execute();
    const requests = db
      .selectFrom('keyRequests')
      .select(['id', 'appName', 'appUrl', 'scopes', 'grantedScopes', 'status', 'createdAt'])
      .where('accountId', '=', accountId)
      .execute();
    const oldValues = db
      .selectFrom('oldKeyValues as old')
      .innerJoin('apiKeys', 'apiKeys.id', 'keyId')
      .select(['keyId', 'old.hint', 'rolledAt', 'endsAt', 'old.lastUsedAt'])
      .where('accountId', '=', accountId)
      .execute();
    const grants = db
      .selectFrom('oauthGrants')
      .innerJoin('apiKeys', 'apiKeys.id', 'keyId')
      .select(['keyId', 'host', 'clientAuth', 'refreshEndsAt', 'rotatedAt'])
      .where('accountId', '=', accountId)
      .execute();
    const signInRequests = db
      .selectFrom('oauthRequests')
      .select(['id', 'clientName', 'redirectUri', 'scopes', 'grantedScopes', 'status', 'createdAt'])
      .where('accountId', '=', accountId)
      .execute();
    return {
      signIns: await grants,
      signInRequests: await signInRequests,
      apiKeys: await keys,
      oldKeyValues: await oldValues,
      keyUsage: await usage,
      keyRequests: await requests,
    };
  },
  async endCredentials(trx, accountId) {
    await trx.deleteFrom('apiKeys').where('accountId', '=', accountId).execute();
    // The requests are kept, so that an application which polls for one is told of the refusal.
    await trx
      .updateTable('keyRequests')
      .set({ status: 'denied', exchangeCodeHash: null })
      .where('accountId', '=', accountId)
      .where('status', '=', 'approved')
      .execute();
    await trx
      .updateTable('oauthRequests')
      .set({ status: 'denied', exchangeCodeHash: null })
      .where('accountId', '=', accountId)
      .where('status', '=', 'approved')
      .execute();
  },
};

/** The keys of an account that are at their limit, and the expired ones of those that were `tried`. */
export async function readKeysInTrouble(
  db: Database,
  { accountId, now, tried }: { accountId: string; now: number; tried: readonly string[] },
) {
  const ofMonth = monthOf(now).start;
  const at = new Date(now);
  return await db
    .selectFrom('apiKeys')
    .leftJoin('keyUsage', (join) => join.onRef('keyId', '=', 'apiKeys.id').on('month', '=', ofMonth))
    .select(['id', 'name', 'monthlyLimit', 'expiresAt'])
    .where('accountId', '=', accountId)
    .where(
      sql<boolean>`(calls >= monthly_limit and coalesce(expires_at > ${at}, true)
        or id = any(${[...tried]}) and expires_at <= ${at})`,
    )
    .orderBy('id', 'desc')
    .execute();
}

export const countKeys: CountOfAccount = (accountId) =>
  sql`(select count(*)::int from api_keys where account_id = ${sql.ref(accountId)})`;

/** Takes a world out of the account's keys. A key that was bound to this world alone reaches no world afterwards. */
export async function unbindClient(
  trx: Transaction<Tables>,
  { accountId, clientId }: { accountId: string; clientId: string },
): Promise<void> {
  await trx
    .updateTable('apiKeys')
    .set({
      clientIds: sql`array_remove(client_ids, ${clientId})`,
      actingUserIds: sql`acting_user_ids - ${clientId}::text`,
    })
    .where('accountId', '=', accountId)
    .where(sql<boolean>`(${clientId} = any(client_ids) or acting_user_ids ? ${clientId})`)
    .execute();
}
