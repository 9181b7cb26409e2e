import type { AuditRecordOf } from '@tabletop-relay/contract';
import type { CredentialFeed } from '../../credentials/changes/credential-feed.ts';
import type { Sender } from '../../endpoint-handler.ts';
import { ProblemError } from '../../problem.ts';
import type { Records } from '../../records/records.ts';
import { endOtherSessions } from '../passwords/end-other-sessions.ts';

export interface EndSessionDeps {
  feed: Pick<CredentialFeed, 'change'>;
  records: Pick<Records, 'auditIn'>;
}

type EndRecord = AuditRecordOf<'session.ended' | 'session.revoked'> & Partial<Sender>;

/** Ends one session of the account; false if the account has no session by that id. */
export async function endSession(
  deps: EndSessionDeps,
  { accountId, sessionId, record }: { accountId: string; sessionId: string; record: EndRecord },
): Promise<boolean> {
  return await deps.feed.change(async (trx, announce) => {
    const deleted = await trx
      .deleteFrom('sessions')
      .where('id', '=', sessionId)
      .where('accountId', '=', accountId)
      .executeTakeFirst();
    if (deleted.numDeletedRows === 0n) return false;
    announce({ accountId, subject: 'session', subjectId: sessionId, change: 'revoked' });
    await deps.records.auditIn(trx, { accountId, subjectId: sessionId, ...record });
    return true;
  });
}

type EndAllRecord = Pick<AuditRecordOf<'account.sessions_ended'>, 'actor'> &
  Partial<Sender> & { detail?: { by: string } };

/** Ends all sessions of an account, and answers how many there were; throws `not_found`. `record` says who did it. */
export async function endAllSessions(
  deps: EndSessionDeps,
  { accountId, record }: { accountId: string; record: EndAllRecord },
): Promise<number> {
  return await deps.feed.change(async (trx, announce) => {
    const account = await trx
      .selectFrom('accounts')
      .select('id')
      .where('id', '=', accountId)
      // A sign-in under way ends before or begins after.
      .forUpdate()
      .executeTakeFirst();
    if (!account) throw new ProblemError('not_found', 'No account by that id.');
    const count = await endOtherSessions(trx, announce, accountId);
    await deps.records.auditIn(trx, {
      accountId,
      event: 'account.sessions_ended',
      subjectId: accountId,
      ...record,
      detail: { ...record.detail, count },
    });
    return count;
  });
}
