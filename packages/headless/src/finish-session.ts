import { liveHeadlessStates } from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';

export interface SessionEnd {
  sessionId: string;
  /** Only if it is still this run of it: a later one is another host's. */
  run?: number;
  /** `ended` where nothing went wrong. */
  failure?: 'session_failed' | 'browser_unavailable';
  /** Why, in words for the account. */
  detail: string;
}

/** What ended, for whoever tells the other instances. */
export interface FinishedSession {
  accountId: string;
  clientId: string | null;
  tokenId: string | null;
}

/**
 * Ends a session with its connection token and its seal. Undefined where it had ended already. The event reaches every
 * relay by the poll of `credential_events`, so that the token's socket closes within a second.
 */
export async function finishSession(
  trx: Transaction<Tables>,
  { sessionId, run, failure, detail }: SessionEnd,
): Promise<FinishedSession | undefined> {
  const finished = await trx
    .updateTable('headlessSessions')
    .set({
      state: failure ? 'failed' : 'ended',
      failure: failure ?? null,
      // Who asked for the end has said why.
      detail: sql`case when state = 'ending' and detail <> '' then detail else ${detail} end`,
      endedAt: sql`now()`,
      sealKey: null,
      sealedToken: null,
    })
    .where('id', '=', sessionId)
    .where('state', 'in', [...liveHeadlessStates])
    .$if(run !== undefined, (query) => query.where('run', '=', run ?? 0))
    .returning(['accountId', 'clientId', 'tokenId'])
    .executeTakeFirst();
  if (!finished?.tokenId) return finished;
  const { accountId, tokenId } = finished;
  const token = await trx
    .deleteFrom('connectionTokens')
    .where('id', '=', tokenId)
    .returning('id')
    .executeTakeFirst();
  if (token) {
    await trx
      .insertInto('credentialEvents')
      .values({ accountId, subject: 'token', subjectId: tokenId, change: 'revoked' })
      .execute();
  }
  return finished;
}
