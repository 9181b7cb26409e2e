import type { FastifyRequest } from 'fastify';
import { sessionCookie } from '../../accounts/sessions/session-cookie.ts';
import type { SessionPrincipal } from '../../endpoint-handler.ts';
import { ProblemError } from '../../problem.ts';
import { readCookie } from './cookies.ts';
import { checkSameOrigin, isUnsafe } from './same-origin.ts';

export interface SessionDeps {
  /** The person whose session a token opens; throws `session_invalid`. */
  findSession(token: string): Promise<SessionPrincipal>;
  publicUrlOf(request: FastifyRequest): string;
}

/**
 * The person who is signed in, by `Authorization: Bearer` or else by cookie. With the cookie an unsafe method must come
 * from our own pages. Throws `session_missing`, `session_invalid` or `origin_refused`.
 */
export async function readSession(deps: SessionDeps, request: FastifyRequest): Promise<SessionPrincipal> {
  const publicUrl = deps.publicUrlOf(request);
  const { authorization } = request.headers;
  const token =
    authorization === undefined
      ? readCookie(request, publicUrl, sessionCookie)
      : /^Bearer (\S+)$/i.exec(authorization)?.[1];
  if (token === undefined || token === '') throw new ProblemError('session_missing');
  if (authorization === undefined && isUnsafe(request.method)) checkSameOrigin(request, publicUrl, true);
  return await deps.findSession(token);
}
