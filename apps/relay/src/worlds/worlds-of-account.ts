import { sql } from 'kysely';
import type { AccountPart, CountOfAccount } from '../accounts/account-part.ts';

export const worldsOfAccount: AccountPart = {
  async readForExport(db, accountId) {
    const worlds = db.selectFrom('knownClients').selectAll().where('accountId', '=', accountId).execute();
    const tokens = db
      .selectFrom('connectionTokens')
      .select([
        'id',
        'clientId',
        'name',
        'hint',
        'allowedTargetClients',
        'actingUserIds',
        'remoteScopes',
        'ipAllowlist',
      ])
      .select(['worldId', 'systemId', 'origin', 'lastUsedAt', 'lastIpAddress', 'createdAt'])
      .where('accountId', '=', accountId)
      .execute();
    const requests = db
      .selectFrom('pairRequests')
      .select(['id', 'worldId', 'worldTitle', 'requestedFrom', 'status', 'createdAt'])
      .where('accountId', '=', accountId)
      .execute();
    return { worlds: await worlds, connectionTokens: await tokens, pairRequests: await requests };
  },
  async endCredentials(trx, accountId) {
    await trx.deleteFrom('connectionTokens').where('accountId', '=', accountId).execute();
    await trx.deleteFrom('pairingCodes').where('accountId', '=', accountId).execute();
    // The requests are kept, so that a module which polls for one is told of the refusal.
    await trx
      .updateTable('pairRequests')
      .set({ status: 'denied' })
      .where('accountId', '=', accountId)
      .where('status', '=', 'approved')
      .execute();
  },
};

export const countWorlds: CountOfAccount = (accountId) =>
  sql`(select count(*)::int from known_clients where account_id = ${sql.ref(accountId)})`;
