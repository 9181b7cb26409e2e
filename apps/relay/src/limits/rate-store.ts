import type { Allowances, Spent } from '@tabletop-relay/cluster';
import type {
  FastifyRateLimitOptions,
  FastifyRateLimitStore,
  FastifyRateLimitStoreCtor,
  RateLimitOptions,
} from '@fastify/rate-limit';
import type { RouteOptions } from 'fastify';
import { keyOfCaller } from './per-key.ts';

type Callback = Parameters<FastifyRateLimitStore['incr']>[1];

/**
 * Where @fastify/rate-limit counts, over all instances: the calls of a key are spent from its reserve, in the same
 * turn while that lasts; what an address does is counted at once, for it is rare.
 */
export function createRateStore(allowances: Allowances): FastifyRateLimitStoreCtor {
  const callsPerKey = allowances.perWindow('calls', 60_000);

  const spendCall: FastifyRateLimitStore['incr'] = (key, callback, _timeWindow, max) => {
    const spent = callsPerKey.spend(key, max);
    if (spent instanceof Promise) spent.then((waited) => answer(waited, max, callback), callback);
    else answer(spent, max, callback);
  };

  const hit =
    (prefix: string): FastifyRateLimitStore['incr'] =>
    (key, callback, timeWindow) => {
      allowances
        .hit(prefix + key, timeWindow)
        .then(({ count, resetMs }) => callback(null, { current: count, ttl: resetMs }), callback);
    };

  return class RateStore implements FastifyRateLimitStore {
    readonly incr: FastifyRateLimitStore['incr'];
    constructor(_options: FastifyRateLimitOptions, incr = hit('')) {
      this.incr = incr;
    }
    child(route: RouteOptions & { path: string; prefix: string }): RateStore {
      // The plugin hands over the limit's options, whatever its types say.
      const options = route as unknown as RateLimitOptions & { routeInfo: Partial<RouteOptions> };
      if (options.keyGenerator === keyOfCaller) return new RateStore({}, spendCall);
      // A group's name is part of its keys already.
      return new RateStore({}, hit(options.groupId ? '' : `${options.routeInfo.url} `));
    }
  };
}

function answer({ allowed, left, resetMs }: Spent, max: number, callback: Callback): void {
  callback(null, { current: allowed ? max - left : max + 1, ttl: resetMs });
}
