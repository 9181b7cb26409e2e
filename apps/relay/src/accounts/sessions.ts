import type { sessionEndpoints } from '@tabletop-relay/contract';
import type { Database, Tables } from '@tabletop-relay/database';
import type { Transaction } from 'kysely';
import type { Announce, CredentialFeed } from '../credentials/changes/credential-feed.ts';
import { newId } from '../credentials/id.ts';
import { createSecret, hashSecret, kindOfSecret } from '../credentials/secret.ts';
import { ProblemError } from '../problem.ts';
import type { Cookies, HandlersOf, Sender, SessionPrincipal } from '../endpoint-handler.ts';
import { paged } from '../records/paging.ts';
import type { Records } from '../records/records.ts';
import { auditOf, nameOfBrowser } from '../records/sender.ts';
import { hasSecondFactor } from './second-factors/factors.ts';

const sessionLifetimeMs = 30 * 24 * 3_600_000;

export interface SessionDeps {
  db: Database;
  feed: Pick<CredentialFeed, 'change'>;
  records: Pick<Records, 'auditIn'>;
  now(): number;
}

export interface NewSession {
  sessionId: string;
  token: string;
  expiresAt: Date;
}

/**
 * Makes a session; one that the browser held before is neither read nor kept. Above the account's bound its oldest
 * sessions end. The transaction must have locked the account's row or made it: two sign-ins that count at the same time
 * would both find room.
 */
export async function createSession(
  trx: Transaction<Tables>,
  announce: Announce,
  input: { accountId: string; sender: Sender; now: number; maxSessions: number },
): Promise<NewSession> {
  await endOldestSessions(trx, announce, { accountId: input.accountId, keep: input.maxSessions - 1 });
  const secret = createSecret('session');
  const expiresAt = new Date(input.now + sessionLifetimeMs);
  const sessionId = newId(input.now);
  await trx
    .insertInto('sessions')
    .values({
      id: sessionId,
      accountId: input.accountId,
      hash: secret.hash,
      userAgent: input.sender.userAgent,
      ipAddress: input.sender.ipAddress,
      expiresAt,
    })
    .execute();
  return { sessionId, token: secret.value, expiresAt };
}

async function endOldestSessions(
  trx: Transaction<Tables>,
  announce: Announce,
  { accountId, keep }: { accountId: string; keep: number },
): Promise<void> {
  const ended = await trx
    .deleteFrom('sessions')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('id')
        .where('accountId', '=', accountId)
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .offset(keep),
    )
    .returning('id')
    .execute();
  for (const { id } of ended) {
    announce({ accountId, subject: 'session', subjectId: id, change: 'revoked' });
  }
}

export const sessionCookie = 'trs';

export function setSessionCookie(cookies: Cookies, session: NewSession): void {
  const maxAgeS = sessionLifetimeMs / 1000;
  cookies.write({ name: sessionCookie, value: session.token, maxAgeS, sameSite: 'Lax' });
}

export function clearSessionCookie(cookies: Cookies): void {
  cookies.write({ name: sessionCookie, value: '', maxAgeS: 0, sameSite: 'Lax' });
}

/** The person whose session a token opens; throws `session_invalid`. */
export async function findSession(
  deps: Pick<SessionDeps, 'db' | 'now'>,
  token: string,
): Promise<SessionPrincipal> {
  if (kindOfSecret(token) !== 'session') throw new ProblemError('session_invalid');
  return await findByHash(deps, hashSecret(token));
}

async function findByHash(
  { db, now }: Pick<SessionDeps, 'db' | 'now'>,
  hash: Buffer,
): Promise<SessionPrincipal> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.accountId')
    .select(['sessions.id as sessionId', 'accountId', 'expiresAt', 'lastUsedAt'])
    .select(['email', 'isAdministrator', 'disabledAt', hasSecondFactor.as('hasSecondFactor')])
    .where('hash', '=', hash)
    .executeTakeFirst();
  if (!row || row.expiresAt.getTime() <= now()) throw new ProblemError('session_invalid');
  if (now() - row.lastUsedAt.getTime() > 60_000) {
    await db
      .updateTable('sessions')
      .set({ lastUsedAt: new Date(now()) })
      .where('id', '=', row.sessionId)
      .execute();
  }
  const { sessionId, accountId, email, isAdministrator, disabledAt } = row;
  const lacksSecondFactor = isAdministrator && !row.hasSecondFactor;
  return { sessionId, accountId, email, isAdministrator, lacksSecondFactor, disabled: disabledAt !== null };
}

/** Ends one session of the account; false if the account has no session by that id. */
export async function endSession(
  deps: Pick<SessionDeps, 'feed' | 'records'>,
  input: { accountId: string; sessionId: string; event: 'session.ended' | 'session.revoked'; sender: Sender },
): Promise<boolean> {
  const { accountId, sessionId } = input;
  return await deps.feed.change(async (trx, announce) => {
    const deleted = await trx
      .deleteFrom('sessions')
      .where('id', '=', sessionId)
      .where('accountId', '=', accountId)
      .executeTakeFirst();
    if (deleted.numDeletedRows === 0n) return false;
    announce({ accountId, subject: 'session', subjectId: sessionId, change: 'revoked' });
    await deps.records.auditIn(trx, {
      accountId,
      event: input.event,
      actor: 'session',
      subjectId: sessionId,
      ...auditOf(input.sender),
    });
    return true;
  });
}

async function listSessions(
  { db, now }: Pick<SessionDeps, 'db' | 'now'>,
  session: SessionPrincipal,
  { limit, cursor }: { limit: number; cursor: string | undefined },
) {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'createdAt', 'lastUsedAt', 'expiresAt', 'userAgent', 'ipAddress'])
    .where('accountId', '=', session.accountId)
    .where('expiresAt', '>', new Date(now()))
    .$if(cursor !== undefined, (query) => query.where('id', '<', cursor ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    device: nameOfBrowser(row.userAgent),
    current: row.id === session.sessionId,
  }));
}

export const sessionHandlers = (deps: SessionDeps): HandlersOf<typeof sessionEndpoints> => ({
  listSessions: ({ query }, { session }) => paged(query, (page) => listSessions(deps, session, page)),

  async endSession({ params }, { session: { accountId }, sender }) {
    const ending = { accountId, sessionId: params.id, event: 'session.revoked', sender } as const;
    if (!(await endSession(deps, ending)))
      throw new ProblemError('not_found', 'You have no session by that id.');
    return {};
  },
});
