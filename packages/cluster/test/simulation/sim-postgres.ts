import type { HoldStore, ReadingStore, RedisReading } from '../../src/cluster.ts';
import type { Host, SimClock } from './sim-clock.ts';
import type { SimNetwork } from './sim-connection.ts';

/** A Postgres in simulated time that keeps the holds, and what instances tell of their Redis. */
export interface SimPostgres {
  isAway: boolean;
  /** The holds as a host sees them over its network. */
  holdsFor(host: Host, network: SimNetwork): HoldStore;
  readingsFor(host: Host, network: SimNetwork): ReadingStore;
  /** What an instance tells every five seconds; nothing while Postgres is away. */
  report(host: Host, network: SimNetwork, boot: string, readings: Record<number, RedisReading>): void;
}

export function createSimPostgres(clock: SimClock): SimPostgres {
  const heldUntil = new Map<string, number>();
  const told = new Map<string, { name: string; reading: RedisReading; at: number }>();

  const ask = <T>(host: Host, network: SimNetwork, answer: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      clock.after(clock.between(1, 20), () => {
        if (postgres.isAway || network.isCutFromPostgres)
          return clock.after(5, () => reject(new Error('Postgres is away')), host);
        const value = answer();
        return clock.after(clock.between(1, 20), () => resolve(value), host);
      });
    });

  const tell = (name: string, boot: string, reading: RedisReading): void =>
    void told.set(boot, { name, reading, at: clock.now() });

  const postgres: SimPostgres = {
    isAway: false,
    readingsFor: (host, network) => ({
      tell: ({ boot }, decide) =>
        ask(host, network, () => {
          const others = [...told]
            .filter(([other]) => other !== boot)
            .map(([, { name, reading, at }]) => {
              const heardMs = clock.now() - at;
              return { ...reading, instanceId: name, heardMs, ageMs: reading.ageMs + heardMs };
            });
          const own = decide(others);
          if (own) tell(host.name, boot, own);
        }),
    }),
    report: (host, network, boot, { 0: reading }) => {
      if (reading) void ask(host, network, () => tell(host.name, boot, reading)).catch(() => {});
    },
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
