import rateLimit from '@fastify/rate-limit';
import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import { addressPrefixes } from '@tabletop-relay/kit';
import type { Quotas } from '@tabletop-relay/limits';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { ProblemError } from '../problem.ts';
import { limitHeaders } from './limit-headers.ts';
import type { Limit } from './limits.ts';

/** One count of a route's requests. */
export interface RateCount {
  windowMs: number;
  /** The key that a request counts under, and the limit of that key. Undefined where the request does not count. */
  of(request: FastifyRequest): { key: string; max: number } | undefined;
}

/** Registers @fastify/rate-limit so that it counts over all instances. Limited requests are rare: each costs a round trip. */
export async function registerRateLimit(app: FastifyInstance, quotas: Pick<Quotas, 'hit'>): Promise<void> {
  // All counts differ by their keys alone, so one store does for all of them.
  class Store implements FastifyRateLimitStore {
    incr: FastifyRateLimitStore['incr'] = (key, callback, windowMs) => {
      quotas
        .hit(key, windowMs)
        .then(({ count, resetMs }) => callback(null, { current: count, ttl: resetMs }), callback);
    };

    child(): Store {
      return this;
    }
  }
  await app.register(rateLimit, { global: false, store: Store });
  app.addHook('onRoute', ({ url, config }) => {
    // The plugin would count it under the address as it is, and answer without a problem document.
    if (config?.rateLimit) throw new Error(`The limit of ${url} must be a hook that limitRate makes`);
  });
}

/**
 * A hook that counts a request and says in headers what is left of the count that is nearest to its limit. Above a limit it throws
 * `rate_limited`, and what one count refuses does not count for those behind it. `registerRateLimit` must come before.
 */
export function limitRate(app: FastifyInstance, counts: readonly RateCount[]): onRequestAsyncHookHandler {
  const checks = counts.map(({ windowMs, of }) =>
    app.createRateLimit({
      timeWindow: windowMs,
      keyGenerator: (request) => of(request)?.key ?? '',
      max: (request) => of(request)?.max ?? 0,
      allowList: (_request, key) => key === '',
    }),
  );
  return async (request, reply) => {
    let least = Infinity;
    for (const check of checks) {
      // oxlint-disable-next-line no-await-in-loop -- What is refused does not count for those behind it.
      const result = await check(request);
      if (result.isAllowed) continue;
      const { max, remaining, ttlInSeconds } = result;
      if (result.isExceeded) throw refusal(max, ttlInSeconds);
      if (remaining >= least) continue;
      least = remaining;
      void reply.headers(limitHeaders(max, ttlInSeconds, remaining));
    }
  };
}

/** Counts an address under its narrow prefix, then under its wider one, whose other addresses are not to suffer from it. */
export const countByAddress = (name: string, { max, windowMs }: Limit): RateCount[] =>
  [0, 1].map((index) => ({
    windowMs,
    of({ ip }) {
      const prefix = addressPrefixes(ip)[index];
      return prefix && { key: `${name} ${prefix.block}`, max: max * prefix.times };
    },
  }));

function refusal(max: number, waitS: number): ProblemError {
  const detail = `No more than ${max} requests; the next one in ${waitS} s.`;
  return new ProblemError('rate_limited', detail, { retryAfterS: waitS, headers: limitHeaders(max, waitS) });
}
