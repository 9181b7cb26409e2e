import type { HoldStore } from '../../src/cluster.ts';
import type { Host, SimClock } from './sim-clock.ts';
import type { SimNetwork } from './sim-connection.ts';

/** A Postgres in simulated time that keeps the holds. */
export interface SimPostgres {
  isAway: boolean;
  /** The holds as a host sees them over its network. */
  holdsFor(host: Host, network: SimNetwork): HoldStore;
}

export function createSimPostgres(clock: SimClock): SimPostgres {
  const heldUntil = new Map<string, number>();

  const ask = <T>(host: Host, network: SimNetwork, answer: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      clock.after(clock.between(1, 20), () => {
        if (postgres.isAway || network.isCutFromPostgres)
          return clock.after(5, () => reject(new Error('Postgres is away')), host);
        const value = answer();
        return clock.after(clock.between(1, 20), () => resolve(value), host);
      });
    });

  const postgres: SimPostgres = {
    isAway: false,
    holdsFor: (host, network) => ({
      hold: (boot, shards, ms) =>
        ask(host, network, () => {
          for (const shard of shards) heldUntil.set(`${boot} ${shard}`, clock.now() + ms);
        }),
      isHeld: (boot, shard) =>
        ask(host, network, () => (heldUntil.get(`${boot} ${shard}`) ?? 0) > clock.now()),
    }),
  };
  return postgres;
}
