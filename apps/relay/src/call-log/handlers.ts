import { callEndpoints } from '@tabletop-relay/contract';
import type { Database } from '@tabletop-relay/database';
import { withAccountLocked } from '../accounts/account-lock.ts';
import type { LockDeps } from '../accounts/account-lock.ts';
import { serve } from '../endpoint-handler.ts';
import type { HandlersOf, ServedEndpoint } from '../endpoint-handler.ts';
import { ProblemError } from '../problem.ts';
import { paged } from '@tabletop-relay/kit';
import type { Records } from '../records/records.ts';
import { auditOf } from '../records/sender.ts';
import { eraseBodies } from './bodies/erase-bodies.ts';
import type { CallLog } from './call-log.ts';
import { readCall, readCallers, readCalls } from './read-calls.ts';
import { readOverview } from './hours/read-overview.ts';

export interface CallLogDeps extends LockDeps {
  db: Database;
  callLog: Pick<CallLog, 'keepers'>;
  records: Pick<Records, 'auditIn'>;
  now(): number;
}

/** The endpoints of this room. */
export function serveCallLog(deps: CallLogDeps): ServedEndpoint[] {
  const { db, now } = deps;
  const handlers: HandlersOf<typeof callEndpoints> = {
    listCalls: ({ query: filter }, { session: { accountId } }) =>
      paged(filter, (page) => readCalls(db, { accountId, filter, ...page })),

    async getCall({ params: { id } }, { session: { accountId } }) {
      const call = await readCall(db, { accountId, id, now: now() });
      if (!call) throw new ProblemError('not_found', 'You have no call by that id, or it is too old.');
      return call;
    },

    listCallers: async ({ query: { key } }, { session: { accountId } }) => ({
      items: await readCallers(db, { accountId, keyId: key }),
    }),

    getOverview: ({ query: { by = 'hour', days = 1, key: keyId } }, { session: { accountId } }) =>
      readOverview(db, { accountId, by, days, keyId, now: now() }),

    getCallLogSettings: async (_input, { session: { accountId } }) => ({
      keepsBodies: await readKeepsBodies(db, accountId),
    }),

    async changeCallLogSettings({ body: { keepsBodies } }, { session, sender }) {
      const { accountId } = session;
      // Rows that an interrupted erasure left must not be shown again.
      if (keepsBodies) await eraseBodies(db, { accountId, now: now() });
      await withAccountLocked(deps, session, async (trx) => {
        await trx
          .insertInto('callLogSettings')
          .values({ accountId, keepsBodies })
          .onConflict((conflict) => conflict.column('accountId').doUpdateSet({ keepsBodies }))
          .execute();
        await deps.records.auditIn(trx, {
          accountId,
          event: 'call_log.changed',
          detail: { keepsBodies: keepsBodies ? 'yes' : 'no' },
          ...auditOf(sender),
        });
      });
      deps.callLog.keepers.announce();
      if (!keepsBodies) await eraseBodies(db, { accountId, now: now() });
      return { keepsBodies };
    },
  };
  return serve(callEndpoints, handlers);
}

async function readKeepsBodies(db: Database, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('callLogSettings')
    .select('keepsBodies')
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return row?.keepsBodies ?? false;
}
