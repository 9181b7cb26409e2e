import type { AccountPart } from '../accounts/account-part.ts';

/** What this room keeps of an account. It goes with the account by a trigger and by references. */
export const callsOfAccount: AccountPart = {
  async readForExport(db, accountId) {
    const settings = await db
      .selectFrom('callLogSettings')
      .select('keepsBodies')
      .where('accountId', '=', accountId)
      .executeTakeFirst();
    const hours = await db
      .selectFrom('callHours')
      .select(['hour', 'keyId', 'clientId', 'outcome', 'calls'])
      .where('accountId', '=', accountId)
      .orderBy('hour')
      .execute();
    return { callLogSettings: settings ?? { keepsBodies: false }, callHours: hours };
  },
  logs: ['callLog', 'callBodies'],
  endCredentials: () => Promise.resolve(),
};
