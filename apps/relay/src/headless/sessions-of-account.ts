import { liveHeadlessStates } from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import { askToEnd } from '@tabletop-relay/headless';
import type { Transaction } from 'kysely';
import type { AccountPart } from '../accounts/account-part.ts';

export const headlessSessionsOfAccount: AccountPart = {
  async readForExport(db, accountId) {
    const sessions = db
      .selectFrom('headlessSessions')
      .select(['id', 'tabletopUrl', 'username', 'worldName', 'state', 'stage', 'detail', 'clientId'])
      .select(['keyId', 'createdAt', 'lastActivityAt', 'endedAt'])
      .where('accountId', '=', accountId)
      .execute();
    return { headlessSessions: await sessions };
  },
  async endCredentials(trx, accountId) {
    await askToEnd(trx, { accountId }, 'The master key was regenerated.');
  },
};

/** Whether a session that the key started is under way. Who holds the account's lock knows that none starts meanwhile. */
export async function runsSession(
  trx: Transaction<Tables>,
  { accountId, keyId }: { accountId: string; keyId: string },
): Promise<boolean> {
  const session = await trx
    .selectFrom('headlessSessions')
    .select('id')
    .where('accountId', '=', accountId)
    .where('keyId', '=', keyId)
    .where('state', 'in', [...liveHeadlessStates])
    .executeTakeFirst();
  return session !== undefined;
}
