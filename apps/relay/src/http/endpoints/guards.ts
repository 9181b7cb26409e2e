import { endpointLimits } from '@tabletop-relay/contract';
import type { Endpoint, LimitEntry } from '@tabletop-relay/contract';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { hash } from 'node:crypto';
import { sessionCookie } from '../../accounts/sessions/session-cookie.ts';
import { readLongCode } from '../../credentials/codes.ts';
import type { SessionPrincipal } from '../../endpoint-handler.ts';
import { authorize } from '../../keys/authenticate.ts';
import type { AccountLimits } from '../../limits/limits.ts';
import { countByAddress, limitRate } from '../../limits/rate-limit.ts';
import type { RateCount } from '../../limits/rate-limit.ts';
import { ProblemError } from '../../problem.ts';
import '../fastify-types.ts';
import { readCookie } from './cookies.ts';

export interface GuardDeps {
  limits: AccountLimits;
  /** The person whose session a token opens; throws `session_invalid`. */
  findSession(token: string): Promise<SessionPrincipal>;
  publicUrlOf(request: FastifyRequest): string;
}

/** The checks of an endpoint that run before a body is read. Its limit counts only the requests that pass the others. */
export function guardsOf(
  app: FastifyInstance,
  endpoint: Endpoint,
  deps: GuardDeps,
): onRequestAsyncHookHandler[] {
  return [...checksOf(endpoint, deps), limitRate(app, countsOf(deps.limits, endpoint))];
}

type Check = (request: FastifyRequest) => Promise<void>;

function checksOf(endpoint: Endpoint, deps: GuardDeps): Check[] {
  const { auth, origin, openToDisabled, openWithoutFactor, scope } = endpoint;
  if (auth === 'session' || auth === 'administrator') {
    return [
      async (request) => {
        const session = await readSession(deps, request);
        request.session = session;
        if (session.disabled && !openToDisabled) throw new ProblemError('account_disabled');
        if (session.lacksSecondFactor && !openWithoutFactor) throw new ProblemError('second_factor_missing');
        if (auth === 'administrator' && !session.isAdministrator) {
          throw new ProblemError('forbidden', 'Administrators only.');
        }
      },
    ];
  }
  if (scope) return [(request) => Promise.resolve(authorize(request.principal, scope))];
  if (origin === 'any') return [];
  if (origin === 'link') return [(request) => Promise.resolve(checkNavigation(request))];
  return [(request) => Promise.resolve(checkSameOrigin(request, deps.publicUrlOf(request), false))];
}

/**
 * The person who is signed in, by `Authorization: Bearer` or else by cookie. With the cookie an unsafe method must come
 * from our own pages. Throws `session_missing`, `session_invalid` or `origin_refused`.
 */
async function readSession(deps: GuardDeps, request: FastifyRequest): Promise<SessionPrincipal> {
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

/**
 * Refuses a browser's request from another site. With `required`, when a cookie vouches for the request, one of the two
 * headers must be there. Without it programs pass, which send neither.
 */
function checkSameOrigin(request: FastifyRequest, publicUrl: string, required: boolean): void {
  const site = request.headers['sec-fetch-site'];
  const { origin } = request.headers;
  if (site === undefined && origin === undefined && !required) return;
  // Browsers send no Sec-Fetch-Site over plain http.
  const isSame = site === undefined ? origin === new URL(publicUrl).origin : site === 'same-origin';
  if (!isSame) throw new ProblemError('origin_refused');
}

/** Refuses browsers that open an address otherwise than as a page of its own: by a script, in a frame, as a picture. */
function checkNavigation({ headers }: FastifyRequest): void {
  const destination = headers['sec-fetch-dest'] ?? 'document';
  if (destination !== 'document') throw new ProblemError('origin_refused');
}

function isUnsafe(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
}

/** What the limit of an endpoint counts before its handler runs. */
function countsOf(limits: AccountLimits, { limit: name }: Pick<Endpoint, 'limit'>): RateCount[] {
  if (!name) return [];
  const { by, failuresOnly }: LimitEntry = endpointLimits[name];
  if (failuresOnly) return [];
  const { max, windowMs } = limits[name];
  if (by === 'address') return countByAddress(name, limits[name]);
  const countBy = (keyOf: (request: FastifyRequest) => string): RateCount => ({
    windowMs,
    of: (request) => ({ key: `${name} ${keyOf(request)}`, max }),
  });
  if (by !== 'code') return [countBy(holderOf)];
  // Who makes up codes begins a new count with each, and would be bounded by nothing else.
  return [...countByAddress(`polls ${name}`, limits.polls), countBy(codeOf)];
}

/** All spellings of one code count together. Hashed, because the code is a secret. */
function codeOf(request: FastifyRequest): string {
  const { code } = request.params as { code: string };
  return hash('sha256', readLongCode(code) ?? code, 'base64url');
}

/** The dashboard's person counts like a key of the account. */
function holderOf({ principal, session }: FastifyRequest): string {
  return principal ? `key ${principal.keyId}` : `account ${session?.accountId ?? ''}`;
}
