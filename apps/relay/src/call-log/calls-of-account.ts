import type { AccountPart } from '../accounts/account-part.ts';

/** The call log’s part of an account. A trigger and references delete it with the account. */
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
