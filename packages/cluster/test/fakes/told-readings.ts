import type { Cluster, ReadingStore, RedisReading } from '../../src/cluster.ts';

export interface ToldReadings extends ReadingStore {
  /** How long each comparison takes. */
  slowMs: number;
  /** Has an instance tell what it finds, every 100 ms. Returns a function that ends it, as a kill does. */
  report(cluster: Cluster): () => void;
}

/** What instances tell each other of their Redis, as Postgres keeps it. */
export function createToldReadings(): ToldReadings {
  const told = new Map<string, { instanceId: string; readings: Record<number, RedisReading>; at: number }>();
  const store: ToldReadings = {
    slowMs: 0,
    tell: async ({ boot, shard }, decide) => {
      if (store.slowMs > 0) await new Promise((resolve) => setTimeout(resolve, store.slowMs));
      const now = performance.now();
      const others = [...told].flatMap(([other, { instanceId, readings, at }]) => {
        const reading = readings[shard];
        const heardMs = now - at;
        return reading && other !== boot
          ? [{ ...reading, instanceId, heardMs, ageMs: reading.ageMs + heardMs }]
          : [];
      });
      const own = decide(others);
      const { instanceId = 'starting', readings = {} } = told.get(boot) ?? {};
      if (own) told.set(boot, { instanceId, readings: { ...readings, [shard]: own }, at: now });
    },
    report: ({ boot, instanceId, readings }) => {
      const report = (): void =>
        void told.set(boot, { instanceId, readings: readings(), at: performance.now() });
      report();
      const timer = setInterval(report, 100);
      return () => clearInterval(timer);
    },
  };
  return store;
}
