import type { Quotas, Hit } from '@tabletop-relay/limits';
import type {
  errorResponseBuilderContext,
  FastifyRateLimitOptions,
  FastifyRateLimitStore,
  FastifyRateLimitStoreCtor,
  RateLimitOptions,
} from '@fastify/rate-limit';
import type { FastifyRequest, RouteOptions } from 'fastify';
import { hitAddress } from './address-hits.ts';
import { ProblemError } from '../problem.ts';

/**
 * A store for @fastify/rate-limit that counts over all instances. The limited requests of an address are rare, so each is
 * counted in the ledger at once, under each of the address's prefixes.
 */
export function createRateStore(quotas: Quotas): FastifyRateLimitStoreCtor {
  const count =
    (hit: (key: string, windowMs: number) => Promise<Hit>): FastifyRateLimitStore['incr'] =>
    (key, callback, timeWindow) => {
      hit(key, timeWindow).then(
        ({ count: current, resetMs }) => callback(null, { current, ttl: resetMs }),
        callback,
      );
    };

  const hitOfAddress =
    (route: string) =>
    (key: string, windowMs: number): Promise<Hit> => {
      const end = key.indexOf(' ');
      return hitAddress(quotas, {
        name: key.slice(end + 1) || route,
        address: key.slice(0, end),
        windowMs,
      });
    };

  return class RateStore implements FastifyRateLimitStore {
    readonly incr: FastifyRateLimitStore['incr'];
    constructor(_options: FastifyRateLimitOptions, incr = count(hitOfAddress(''))) {
      this.incr = incr;
    }
    child(route: RouteOptions & { path: string; prefix: string }): RateStore {
      // The plugin passes the options of the limit, although its types say otherwise.
      const options = route as unknown as RateLimitOptions & { routeInfo: Partial<RouteOptions> };
      const name = String(options.routeInfo.url);
      if (options.keyGenerator === keyOfAddress) return new RateStore({}, count(hitOfAddress(name)));
      // The plugin has added the group's name to the key already.
      const prefix = options.groupId ? '' : `${name} `;
      return new RateStore(
        {},
        count((key, windowMs) => quotas.hit(prefix + key, windowMs)),
      );
    }
  };
}

/** Key generator that makes the store count by address. The plugin appends the name of the limit's group. */
export function keyOfAddress(request: FastifyRequest): string {
  return `${request.ip} `;
}

/** The failure that @fastify/rate-limit throws. The plugin adds the headers. */
export function refuseByRate(_request: FastifyRequest, context: errorResponseBuilderContext): ProblemError {
  const detail = `No more than ${context.max} requests; the next one in ${context.after}.`;
  return new ProblemError('rate_limited', detail, { retryAfterS: Math.ceil(context.ttl / 1000) });
}
