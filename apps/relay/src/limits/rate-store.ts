import type { Quotas, Hit } from '@tabletop-relay/limits';
import type {
  errorResponseBuilderContext,
  FastifyRateLimitOptions,
  FastifyRateLimitStore,
  FastifyRateLimitStoreCtor,
  RateLimitOptions,
} from '@fastify/rate-limit';
import type { FastifyRequest, RouteOptions } from 'fastify';
import { limitHeaders } from './limit-headers.ts';
import { ProblemError } from '../problem.ts';
import { hitAddress } from './address-hits.ts';
import type { Limit } from './limits.ts';

/** What a route's limit says: that of the plugin, and what only this store reads. */
interface RouteLimit extends RateLimitOptions {
  routeInfo: Partial<RouteOptions>;
  /** A bound on what an address may spend of all keys of this limit; the keys then begin with the address. */
  withinAddress?: Limit;
}

type CountHit = (key: string, windowMs: number) => Promise<Hit>;

/**
 * A store for @fastify/rate-limit that counts over all instances. The limited requests of an address are rare, so each is
 * counted in the ledger at once, under each of the address's prefixes.
 */
export function createRateStore(quotas: Quotas): FastifyRateLimitStoreCtor {
  const count =
    (hit: CountHit): FastifyRateLimitStore['incr'] =>
    (key, callback, timeWindow) => {
      hit(key, timeWindow).then(
        ({ count: current, resetMs }) => callback(null, { current, ttl: resetMs }),
        callback,
      );
    };

  const hitOfAddress =
    (route: string): CountHit =>
    (key, windowMs) => {
      const [address, name] = splitKey(key);
      return hitAddress(quotas, { name: name || route, address, windowMs });
    };

  /** The address is counted first: above its bound no further count is begun. */
  const hitWithinAddress =
    (name: string, { max, windowMs }: Limit): CountHit =>
    async (key, timeWindow) => {
      const [address, rest] = splitKey(key);
      const hit = await hitAddress(quotas, { name, address, windowMs });
      if (hit.count > max) throw refusal(max, Math.ceil(hit.resetMs / 1000));
      return await quotas.hit(rest, timeWindow);
    };

  return class RateStore implements FastifyRateLimitStore {
    readonly incr: FastifyRateLimitStore['incr'];
    constructor(_options: FastifyRateLimitOptions, incr = count(hitOfAddress(''))) {
      this.incr = incr;
    }
    child(route: RouteOptions & { path: string; prefix: string }): RateStore {
      // The plugin passes the options of the limit, although its types say otherwise.
      const { routeInfo, keyGenerator, groupId, withinAddress } = route as unknown as RouteLimit;
      const name = String(routeInfo.url);
      if (keyGenerator === keyOfAddress) return new RateStore({}, count(hitOfAddress(name)));
      if (withinAddress)
        return new RateStore({}, count(hitWithinAddress(`polls ${groupId ?? name}`, withinAddress)));
      // The plugin has added the group's name to the key already.
      const prefix = groupId ? '' : `${name} `;
      return new RateStore(
        {},
        count((key, windowMs) => quotas.hit(prefix + key, windowMs)),
      );
    }
  };
}

/** The address at the beginning of a key, and what follows it. */
function splitKey(key: string): [address: string, rest: string] {
  const end = key.indexOf(' ');
  return [key.slice(0, end), key.slice(end + 1)];
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

/** The same where the plugin does not know of the limit: it passes on what the store throws. */
function refusal(max: number, waitS: number): ProblemError {
  const detail = `No more than ${max} requests from one address; the next one in ${waitS} seconds.`;
  return new ProblemError('rate_limited', detail, { retryAfterS: waitS, headers: limitHeaders(max, waitS) });
}
