import type { Database } from '@tabletop-relay/database';
import { askToEnd, finishSession, lookUntil } from '@tabletop-relay/headless';
import type { SessionNotices } from '@tabletop-relay/headless';
import type { CredentialFeed } from '../credentials/changes/credential-feed.ts';
import type { Sender } from '../endpoint-handler.ts';
import { ProblemError } from '../problem.ts';
import type { Records } from '../records/records.ts';
import { auditOf } from '../records/sender.ts';
import type { Holder } from './holder.ts';

export interface EndDeps {
  db: Database;
  feed: Pick<CredentialFeed, 'change'>;
  notices: SessionNotices;
  records: Pick<Records, 'auditIn'>;
}

const endsWithinMs = 5_000;

/**
 * Tells the host of a session to end it, and waits a while until it has; where no host has it, it ends here. Resolves with
 * whether it has ended. Throws `not_found` for a session that is not the holder's or has ended before.
 */
export async function endSession(
  deps: EndDeps,
  { holder, id, sender }: { holder: Holder; id: string; sender: Sender },
): Promise<boolean> {
  const detail = holder.keyId === null ? 'Ended in the dashboard.' : 'Ended by a program.';
  const { accountId, keyId, seesAll } = holder;
  const hasHost = await deps.feed.change(async (trx) => {
    const mine = { accountId, id, keyId: seesAll ? undefined : (keyId ?? undefined) };
    const [asked] = await askToEnd(trx, mine, detail);
    if (!asked) throw new ProblemError('not_found', 'You have no headless session by that id.');
    await deps.records.auditIn(trx, {
      accountId,
      event: 'headless_session.ended',
      actor: keyId === null ? 'session' : 'key',
      subjectId: id,
      ...auditOf(sender),
    });
    if (!asked.hasHost) await finishSession(trx, { sessionId: id, detail });
    return asked.hasHost;
  });
  return !hasHost || (await hasEndedSoon(deps, id));
}

async function hasEndedSoon({ db, notices }: EndDeps, sessionId: string): Promise<boolean> {
  const look = async () => {
    const session = db.selectFrom('headlessSessions').select('endedAt').where('id', '=', sessionId);
    const row = await session.executeTakeFirst();
    return !row || row.endedAt ? true : undefined;
  };
  return (await lookUntil(notices, { sessionId, withinMs: endsWithinMs }, look)) ?? false;
}
