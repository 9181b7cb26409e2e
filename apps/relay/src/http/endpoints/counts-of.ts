import { endpointLimits } from '@tabletop-relay/contract';
import type { Endpoint, LimitEntry } from '@tabletop-relay/contract';
import type { FastifyRequest } from 'fastify';
import { hash } from 'node:crypto';
import { readLongCode } from '../../credentials/codes.ts';
import type { AccountLimits } from '../../limits/limits.ts';
import { countByAddress } from '../../limits/rate-limit.ts';
import type { RateCount } from '../../limits/rate-limit.ts';

/** What the limit of an endpoint counts before its handler runs. */
export function countsOf(limits: AccountLimits, { limit: name }: Pick<Endpoint, 'limit'>): RateCount[] {
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
