import { endpointLimits } from '@tabletop-relay/contract';
import type { Endpoint, LimitEntry } from '@tabletop-relay/contract';
import type { FastifyRequest } from 'fastify';
import { hash } from 'node:crypto';
import { readLongCode } from '../../credentials/codes.ts';
import type { AccountLimits } from '../../limits/limits.ts';

/** The part of a route's configuration that @fastify/rate-limit reads. */
export function limitOf(limits: AccountLimits, { limit: name }: Pick<Endpoint, 'limit'>) {
  if (!name) return {};
  const { by, failuresOnly }: LimitEntry = endpointLimits[name];
  if (failuresOnly) return {};
  const { max, windowMs } = limits[name];
  const counted = by === 'address' ? {} : { keyGenerator: by === 'code' ? keyOfCode : keyOfHolder };
  return { rateLimit: { max, timeWindow: windowMs, groupId: name, ...counted } };
}

/** All spellings of one code count together. The key is a hash, because the code is a secret. */
function keyOfCode(request: FastifyRequest): string {
  const { code } = request.params as { code: string };
  return hash('sha256', readLongCode(code) ?? code, 'base64url');
}

/** The dashboard's person counts like a key of the account. */
function keyOfHolder({ principal, session }: FastifyRequest): string {
  return principal ? `key ${principal.keyId}` : `account ${session?.accountId ?? ''}`;
}
