import { liveHeadlessStates } from '@tabletop-relay/contract';
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
    await trx
      .updateTable('headlessSessions')
      .set({ state: 'ending', detail: 'The master key was regenerated.' })
      .where('accountId', '=', accountId)
      .where('state', 'in', [...liveHeadlessStates])
      .execute();
  },
};
