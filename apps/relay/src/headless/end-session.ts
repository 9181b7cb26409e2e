import { liveHeadlessStates } from '@tabletop-relay/contract';
import type { Database } from '@tabletop-relay/database';
import { finishSession } from '@tabletop-relay/headless';
import { sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CredentialFeed } from '../credentials/changes/credential-feed.ts';
import type { Sender } from '../endpoint-handler.ts';
import { ProblemError } from '../problem.ts';
import type { Records } from '../records/records.ts';
import { auditOf } from '../records/sender.ts';
import type { Holder } from './holder.ts';

export interface EndDeps {
  db: Database;
  feed: Pick<CredentialFeed, 'change'>;
  records: Pick<Records, 'auditIn'>;
}

/** A host writes of its sessions every second. After this silence it is gone, or none has taken the session yet. */
const hostSilentS = 10;
const endsWithinMs = 5_000;
const lookEveryMs = 100;

/**
 * Tells the host of a session to end it, and waits a while until it has; where no host has it, it ends here. Resolves with
 * whether it has ended. Throws `not_found` for a session that is not the holder's or has ended before.
 */
export async function endSession(
  deps: EndDeps,
  { holder, id, sender }: { holder: Holder; id: string; sender: Sender },
): Promise<boolean> {
  const detail = holder.keyId === null ? 'Ended in the dashboard.' : 'Ended by a program.';
  const hasHost = await deps.feed.change(async (trx) => {
    const asked = await trx
      .updateTable('headlessSessions')
      .set({ state: 'ending', detail })
      .where('id', '=', id)
      .where('accountId', '=', holder.accountId)
      .where('state', 'in', [...liveHeadlessStates])
      .$if(!holder.seesAll, (query) => query.where('keyId', '=', holder.keyId))
      .returning(sql<boolean | null>`seen_at > now() - ${hostSilentS} * interval '1 s'`.as('hasHost'))
      .executeTakeFirst();
    if (!asked) throw new ProblemError('not_found', 'You have no headless session by that id.');
    await deps.records.auditIn(trx, {
      accountId: holder.accountId,
      event: 'headless_session.ended',
      actor: holder.keyId === null ? 'session' : 'key',
      subjectId: id,
      ...auditOf(sender),
    });
    if (!asked.hasHost) await finishSession(trx, { sessionId: id, detail });
    return asked.hasHost === true;
  });
  return hasHost ? await hasEndedSoon(deps.db, id) : true;
}

async function hasEndedSoon(db: Database, id: string): Promise<boolean> {
  const deadline = performance.now() + endsWithinMs;
  while (performance.now() < deadline) {
    const row = await db
      .selectFrom('headlessSessions')
      .select('endedAt')
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row || row.endedAt) return true;
    await sleep(lookEveryMs);
  }
  return false;
}
