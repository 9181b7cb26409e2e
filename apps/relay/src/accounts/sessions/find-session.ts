import { takesNoWrites } from '@tabletop-relay/database';
import type { Database } from '@tabletop-relay/database';
import { hashSecret, kindOfSecret } from '../../credentials/secret.ts';
import type { SessionPrincipal } from '../../endpoint-handler.ts';
import { ProblemError } from '../../problem.ts';
import { hasSecondFactor } from '../second-factors/factors.ts';
import type { SessionTimes } from './session-settings.ts';

export interface FindSessionDeps {
  db: Database;
  sessionTimes: SessionTimes;
  now(): number;
}

/** The person whose session a token opens; throws `session_invalid`. */
export async function findSession(deps: FindSessionDeps, token: string): Promise<SessionPrincipal> {
  if (kindOfSecret(token) !== 'session') throw new ProblemError('session_invalid');
  const row = await deps.db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.accountId')
    .select(['sessions.id', 'accountId', 'expiresAt', 'idleExpiresAt', 'lastUsedAt'])
    .select(['email', 'isAdministrator', 'disabledAt', hasSecondFactor.as('hasSecondFactor')])
    .where('hash', '=', hashSecret(token))
    .executeTakeFirst();
  if (!row || endOf(row).getTime() <= deps.now()) throw new ProblemError('session_invalid');
  // Who only reads needs no write: a Postgres that is read-only or full still tells whose session it is.
  await noteUse(deps, row).catch(unlessNoWrites);
  return {
    sessionId: row.id,
    accountId: row.accountId,
    email: row.email,
    isAdministrator: row.isAdministrator,
    lacksSecondFactor: row.isAdministrator && !row.hasSecondFactor,
    disabled: row.disabledAt !== null,
  };
}

/** When a session ends if it is not used before. */
export function endOf({ expiresAt, idleExpiresAt }: { expiresAt: Date; idleExpiresAt: Date }): Date {
  return idleExpiresAt < expiresAt ? idleExpiresAt : expiresAt;
}

/** When a session ends as it was used last; undefined where it has ended. */
export async function findSessionEnd(db: Database, sessionId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('sessions')
    .select(['expiresAt', 'idleExpiresAt'])
    .where('id', '=', sessionId)
    .executeTakeFirst();
  return row && endOf(row);
}

function unlessNoWrites(error: unknown): void {
  if (!takesNoWrites(error)) throw error;
}

const grainMs = 60_000;

/**
 * Writes the use of a session, at most once a minute over all instances: a write for each request would cost more than the
 * request. A shorter idle time is written at a tenth of it, so that whoever keeps using a session keeps it.
 */
async function noteUse(
  { db, now, sessionTimes: { sessionIdleMs } }: FindSessionDeps,
  { id, lastUsedAt }: { id: string; lastUsedAt: Date },
): Promise<void> {
  const usedBefore = new Date(now() - Math.min(grainMs, sessionIdleMs / 10));
  if (lastUsedAt > usedBefore) return;
  await db
    .updateTable('sessions')
    .set({ lastUsedAt: new Date(now()), idleExpiresAt: new Date(now() + sessionIdleMs) })
    .where('id', '=', id)
    // Many requests may have read the same row.
    .where('lastUsedAt', '<=', usedBefore)
    .execute();
}
