import { Session, PageQuery, pageOf } from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Transaction } from 'kysely';
import { Type } from 'typebox';
import type { Announce } from '../credentials/credential-feed.ts';
import { newId } from '../credentials/id.ts';
import { createSecret, hashSecret, kindOfSecret } from '../credentials/secret.ts';
import { ProblemError } from '../problem.ts';
import { readCookie, writeCookie } from './cookies.ts';
import type { AccountApp, AccountDeps } from './deps.ts';
import type { Sender } from '../records/sender.ts';
import { paged } from '../records/paging.ts';
import { checkSameOrigin, isUnsafe } from './same-origin.ts';
import { auditOf, nameOfBrowser, senderOf } from '../records/sender.ts';

const sessionLifetimeMs = 30 * 24 * 3_600_000;

/** Who is signed in. */
export interface SessionPrincipal {
  sessionId: string;
  accountId: string;
  email: string;
  isAdministrator: boolean;
  disabled: boolean;
}

export interface NewSession {
  sessionId: string;
  token: string;
  expiresAt: Date;
}

/**
 * A fresh session; whatever the browser held before is neither read nor kept. Above the account's bound its oldest
 * sessions end. The transaction has locked the row of the account, or made it: sign-ins that count at once would all
 * find room.
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

const cookieName = 'trs';

export function setSessionCookie(reply: FastifyReply, publicUrl: string, session: NewSession): void {
  const cookie = { name: cookieName, value: session.token, maxAgeS: sessionLifetimeMs / 1000 };
  writeCookie(reply, publicUrl, { ...cookie, sameSite: 'Lax' });
}

export function clearSessionCookie(reply: FastifyReply, publicUrl: string): void {
  writeCookie(reply, publicUrl, { name: cookieName, value: '', maxAgeS: 0, sameSite: 'Lax' });
}

/**
 * Who is signed in, by `Authorization: Bearer` or else by cookie; with the cookie, an unsafe method must come
 * from our own pages. Throws `session_missing`, `session_invalid` or `origin_refused`.
 */
export async function authenticateSession(
  deps: Pick<AccountDeps, 'db' | 'publicUrlOf' | 'now'>,
  request: FastifyRequest,
): Promise<SessionPrincipal> {
  const publicUrl = deps.publicUrlOf(request);
  const { authorization } = request.headers;
  const token =
    authorization === undefined
      ? readCookie(request, publicUrl, cookieName)
      : /^Bearer (\S+)$/i.exec(authorization)?.[1];
  if (token === undefined || token === '') throw new ProblemError('session_missing');
  if (authorization === undefined && isUnsafe(request.method)) checkSameOrigin(request, publicUrl, true);
  if (kindOfSecret(token) !== 'session') throw new ProblemError('session_invalid');
  return await findSession(deps, hashSecret(token));
}

async function findSession(
  { db, now }: Pick<AccountDeps, 'db' | 'now'>,
  hash: Buffer,
): Promise<SessionPrincipal> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.accountId')
    .select(['sessions.id', 'accountId', 'expiresAt', 'lastUsedAt'])
    .select(['email', 'isAdministrator', 'disabledAt'])
    .where('hash', '=', hash)
    .executeTakeFirst();
  if (!row || row.expiresAt.getTime() <= now()) throw new ProblemError('session_invalid');
  if (now() - row.lastUsedAt.getTime() > 60_000) {
    await db
      .updateTable('sessions')
      .set({ lastUsedAt: new Date(now()) })
      .where('id', '=', row.id)
      .execute();
  }
  return {
    sessionId: row.id,
    accountId: row.accountId,
    email: row.email,
    isAdministrator: row.isAdministrator,
    disabled: row.disabledAt !== null,
  };
}

/** Ends one session of the account; false where there is none by that id. */
async function endSession(
  deps: Pick<AccountDeps, 'feed' | 'records'>,
  input: { accountId: string; sessionId: string; event: string; sender: Sender },
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

/** GET and DELETE of sessions, and sign-out. */
export function sessionRoutes(app: AccountApp, deps: AccountDeps): void {
  const { db } = deps;

  app.post(
    '/auth/logout',
    {
      schema: { summary: 'End this session', response: { 200: Type.Object({}) } },
      config: { openToDisabled: true },
    },
    async (request, reply) => {
      const { accountId, sessionId } = request.session;
      const sender = senderOf(request);
      await endSession(deps, { accountId, sessionId, event: 'session.ended', sender });
      clearSessionCookie(reply, deps.publicUrlOf(request));
      return {};
    },
  );

  app.get(
    '/auth/sessions',
    {
      schema: {
        summary: 'List the sessions of your account',
        querystring: PageQuery,
        response: { 200: pageOf(Session) },
      },
    },
    async (request) =>
      await paged(request.query, async ({ limit, cursor }) => {
        const rows = await db
          .selectFrom('sessions')
          .select(['id', 'createdAt', 'lastUsedAt', 'expiresAt', 'userAgent', 'ipAddress'])
          .where('accountId', '=', request.session.accountId)
          .where('expiresAt', '>', new Date(deps.now()))
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
          current: row.id === request.session.sessionId,
        }));
      }),
  );

  app.delete(
    '/auth/sessions/:id',
    {
      schema: {
        summary: 'End a session',
        params: Type.Object({ id: Type.String() }),
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      const hasEnded = await endSession(deps, {
        accountId: request.session.accountId,
        sessionId: request.params.id,
        event: 'session.revoked',
        sender: senderOf(request),
      });
      if (!hasEnded) throw new ProblemError('not_found', 'You have no session by that id.');
      return {};
    },
  );
}
