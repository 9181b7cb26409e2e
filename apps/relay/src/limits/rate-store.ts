import type { Allowances, Hit, Spent } from '@tabletop-relay/limits';
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
 * Where @fastify/rate-limit counts, over all instances: the calls of a key are spent from its reserve, in the same
 * turn while that lasts; what an address does is rare, so it is counted at once, under each of its prefixes.
 */
export function createRateStore(allowances: Allowances): FastifyRateLimitStoreCtor {
  const callsPerKey = allowances.perWindow('calls', 60_000);

  const spendCall: FastifyRateLimitStore['incr'] = (key, callback, _timeWindow, max) => {
    const spent = callsPerKey.spend(key, max);
    if (spent instanceof Promise) spent.then((waited) => answer(waited, max, callback), callback);
    else answer(spent, max, callback);
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
      return hitAddress(allowances, {
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
      // The plugin hands over the limit's options, whatever its types say.
      const options = route as unknown as RateLimitOptions & { routeInfo: Partial<RouteOptions> };
      if (options.keyGenerator === keyOfCaller) return new RateStore({}, spendCall);
      const name = String(options.routeInfo.url);
      if (options.keyGenerator === keyOfAddress) return new RateStore({}, count(hitOfAddress(name)));
      // A group's name is part of its keys already.
      const prefix = options.groupId ? '' : `${name} `;
      return new RateStore(
        {},
        count((key, windowMs) => allowances.hit(prefix + key, windowMs)),
      );
    }
  };
}

/** Tells the store that these requests count by address. The plugin appends the name of the limit's group. */
export function keyOfAddress(request: FastifyRequest): string {
  return `${request.ip} `;
}

function answer({ allowed, left, resetMs }: Spent, max: number, callback: Callback): void {
  callback(null, { current: allowed ? max - left : max + 1, ttl: resetMs });
}
