import type { Quotas, Hit, SpendResult } from '@tabletop-relay/limits';
import type {
  FastifyRateLimitOptions,
  FastifyRateLimitStore,
  FastifyRateLimitStoreCtor,
  RateLimitOptions,
} from '@fastify/rate-limit';
import type { FastifyRequest, RouteOptions } from 'fastify';
import { hitAddress } from './address-hits.ts';
import { keyOfCaller } from './per-key.ts';

type Callback = Parameters<FastifyRateLimitStore['incr']>[1];

/**
 * A store for @fastify/rate-limit that counts over all instances. The calls of a key are spent from a reserve, without
 * waiting while it lasts. Limited requests of an address are rare, so each is counted in the ledger at once, under each
 * of the address's prefixes.
 */
export function createRateStore(quotas: Quotas): FastifyRateLimitStoreCtor {
  const callsPerKey = quotas.perWindow('calls', 60_000);

  const spendCall: FastifyRateLimitStore['incr'] = (key, callback, _timeWindow, max) => {
    const result = callsPerKey.spend(key, max);
    if (result instanceof Promise) result.then((waited) => answer(waited, max, callback), callback);
    else answer(result, max, callback);
  };

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
      // At run time the plugin passes the limit's options, contrary to its types.
      const options = route as unknown as RateLimitOptions & { routeInfo: Partial<RouteOptions> };
      if (options.keyGenerator === keyOfCaller) return new RateStore({}, spendCall);
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

function answer({ allowed, remaining, resetMs }: SpendResult, max: number, callback: Callback): void {
  callback(null, { current: allowed ? max - remaining : max + 1, ttl: resetMs });
}
