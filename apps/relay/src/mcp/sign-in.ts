import { assistantPresets, readPayload, signInScopes } from '@tabletop-relay/contract';
import type { Scope } from '@tabletop-relay/contract';
import type { FastifyRequest } from 'fastify';
import { scopesOf } from '../calls/make-call.ts';
import { resourceDocumentOf } from '../keys/oauth/issuer.ts';
import { ProblemError } from '../problem.ts';
import type { Catalog, Offer } from './catalog.ts';
import { leaves, leavesEvents } from './narrowing.ts';

/**
 * What a request without a key that is taken is told (RFC 6750, section 3; RFC 9728, section 5.1): where programs sign in. Without
 * an issuer there are keys alone.
 */
export function challengeOf(
  issuer: string | undefined,
  { headers }: Pick<FastifyRequest, 'headers'>,
): string {
  if (issuer === undefined) return 'Bearer';
  const isWrong = headers.authorization !== undefined || headers['x-api-key'] !== undefined;
  return bearer({
    ...(isWrong && { error: 'invalid_token' }),
    scope: assistantPresets[0].scopes.join(' '),
    resource_metadata: resourceDocumentOf(issuer),
  });
}

const bearer = (parts: Record<string, string>): string =>
  `Bearer ${Object.entries(parts)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}`;

/**
 * Throws `scope_missing` where a call of a program that was signed in needs more than its person gave it: 403 `insufficient_scope`
 * names all that it then has to hold, and the program may ask for that (RFC 6750, section 3.1). What no sign-in gives is left to the
 * call itself, which fails in words.
 */
export function askForMore(
  { catalog, principal, narrowing }: Offer & { catalog: Catalog },
  body: unknown,
  issuer: string | undefined,
): void {
  if (principal.signedIn === null || issuer === undefined) return;
  const lacks = neededScopes(catalog, { principal, narrowing }, body).filter(
    (scope) => !principal.scopes.has(scope),
  );
  const [first] = lacks;
  if (first === undefined || lacks.some((scope) => !signInScopes.includes(scope))) return;
  throw new ProblemError('scope_missing', `This needs the scope ${first}: ask the person to sign in again.`, {
    scope: first,
    headers: {
      'www-authenticate': bearer({
        error: 'insufficient_scope',
        scope: signInScopes.filter((scope) => principal.scopes.has(scope) || lacks.includes(scope)).join(' '),
        resource_metadata: resourceDocumentOf(issuer),
        error_description: `This needs the scope ${first}.`,
      }),
    },
  });
}

interface Call {
  method?: unknown;
  params?: { name?: unknown; arguments?: Record<string, unknown> };
}

/** The scopes of the call in a message, where the address leaves that; else none. */
function neededScopes(catalog: Catalog, offer: Offer, body: unknown): Scope[] {
  const { method, params } = (body ?? {}) as Call;
  const name = params?.name;
  if (method !== 'tools/call' || typeof name !== 'string') return [];
  const given = params?.arguments;
  if (name === 'recent_events') return leavesEvents(offer.narrowing) ? ['events:subscribe'] : [];
  const isCalled = name === 'call_operation';
  const named = isCalled ? given?.['name'] : name;
  const operation = typeof named === 'string' ? catalog.find(named) : undefined;
  if (!operation || !leaves(offer.narrowing, operation)) return [];
  const payload = isCalled ? given?.['arguments'] : given;
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return [operation.scope];
  const { world: _world, only: _only, ...parameters } = payload as Record<string, unknown>;
  const reading = readPayload(operation, parameters);
  // What the call itself will refuse needs no more.
  return reading.ok ? scopesOf(operation, reading.wire) : [operation.scope];
}
