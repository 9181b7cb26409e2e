import type { sessionEndpoints } from '@tabletop-relay/contract';
import type { Database } from '@tabletop-relay/database';
import type { CredentialFeed } from '../../credentials/changes/credential-feed.ts';
import type { HandlersOf } from '../../endpoint-handler.ts';
import { ProblemError } from '../../problem.ts';
import { paged } from '@tabletop-relay/kit';
import type { Records } from '../../records/records.ts';
import { auditOf } from '../../records/sender.ts';
import { verifyPassword } from '../credentials-check.ts';
import type { VerifyPasswordDeps } from '../credentials-check.ts';
import { endSession } from './end-session.ts';
import { listSessions } from './list-sessions.ts';

export interface SessionDeps extends VerifyPasswordDeps {
  db: Database;
  feed: Pick<CredentialFeed, 'change'>;
  records: Pick<Records, 'audit' | 'auditIn'>;
  now(): number;
}

export const sessionHandlers = (deps: SessionDeps): HandlersOf<typeof sessionEndpoints> => ({
  listSessions: ({ query }, { session }) =>
    paged(query, async (page) => {
      const items = await listSessions(deps, session.accountId, page);
      return items.map((item) => ({ ...item, current: item.id === session.sessionId }));
    }),

  async endSession({ params, body }, caller) {
    const { sender } = caller;
    const { id: accountId } = await verifyPassword(deps, caller, { ...body, purpose: 'endSession' });
    const record = { event: 'session.revoked', actor: 'session', ...auditOf(sender) } as const;
    if (!(await endSession(deps, { accountId, sessionId: params.id, record })))
      throw new ProblemError('not_found', 'You have no session by that id.');
    return {};
  },
});
