import type { Database } from '@tabletop-relay/database';

/** The part of an account that this room keeps. */
export const pausesOfAccount = {
  readForExport: async (db: Database, accountId: string) => ({
    pauses: await db
      .selectFrom('pauses')
      .select(['keyId', 'clientId', 'setIn', 'since', 'actor', 'userName', 'liftedAt'])
      .where('accountId', '=', accountId)
      .execute(),
  }),
  // A pause opens nothing.
  endCredentials: () => Promise.resolve(),
};
