import { endpointLimits } from '@tabletop-relay/contract';
import type { Endpoint, LimitEntry } from '@tabletop-relay/contract';
import type { FastifyRequest } from 'fastify';
import { hash } from 'node:crypto';
import { readLongCode } from '../../credentials/codes.ts';
import type { AccountLimits } from '../../limits/limits.ts';

/** The part of a route's configuration that @fastify/rate-limit and the store of its counts read. */
export function limitOf(limits: AccountLimits, { limit: name }: Pick<Endpoint, 'limit'>) {
  if (!name) return {};
  const { by, failuresOnly }: LimitEntry = endpointLimits[name];
  if (failuresOnly) return {};
  const { max, windowMs } = limits[name];
  return { rateLimit: { max, timeWindow: windowMs, groupId: name, ...countedBy(by, limits) } };
}

function countedBy(by: LimitEntry['by'], { polls }: AccountLimits) {
  if (by === 'address') return {};
  return by === 'code' ? { keyGenerator: keyOfCode, withinAddress: polls } : { keyGenerator: keyOfHolder };
}

/**
 * All spellings of one code count together. The key is a hash, because the code is a secret. The address stands before it,
 * because who makes up codes begins a new count with each.
 */
function keyOfCode(request: FastifyRequest): string {
  const { code } = request.params as { code: string };
  return `${request.ip} ${hash('sha256', readLongCode(code) ?? code, 'base64url')}`;
}

/** The dashboard's person counts like a key of the account. */
function keyOfHolder({ principal, session }: FastifyRequest): string {
  return principal ? `key ${principal.keyId}` : `account ${session?.accountId ?? ''}`;
}
