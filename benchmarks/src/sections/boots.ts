import { createRedisCluster } from '@tabletop-relay/cluster';
import type { Cluster, Reply } from '@tabletop-relay/cluster';
import { createQuotas, createRedisLedger } from '@tabletop-relay/limits';
import type { Quotas } from '@tabletop-relay/limits';
import { Redis } from 'ioredis';

/** Instances without HTTP and Postgres, all in this process: what an instance is to Redis. */
export interface Boots {
  /** Calls a world of the next instance through the bus; with one instance, its own. */
  call(index: number): Promise<unknown>;
  /** Reserves a call of a key that all instances share. */
  reserve(index: number): Promise<unknown>;
  /** Begins a call of each instance to each, which get no answer before the returned function is called. */
  hold(): Promise<() => Promise<void>>;
  /** Microseconds of processor time that Redis has used. */
  redisUs(): Promise<number>;
  stop(): Promise<void>;
}

const accountId = 'account';

export async function startBoots(url: string, count: number): Promise<Boots> {
  const admin = new Redis(url);
  await admin.flushall();
  const held = { answers: [] as (() => void)[], isHolding: false };
  const clusters: Cluster[] = [];
  const quotas: Quotas[] = [];
  for (let index = 0; index < count; index++) {
    const cluster = await startCluster(url, `boot-${index}`, held);
    clusters.push(cluster);
    quotas.push(createQuotas({ ledger: createRedisLedger({ url, boot: cluster.boot }) }));
  }
  await Promise.all(quotas.map((one) => one.start()));
  const ledgers = clusters.map(({ boot }) => createRedisLedger({ url, boot }));
  const windows = ledgers.map(() => ({ window: '', held: 0 }));
  const ask = (index: number, budgetMs: number, owner = (index + 1) % count) =>
    (clusters[index % count] as Cluster).bus.call({
      clientId: `client-of-boot-${owner}`,
      accountId,
      head: {},
      body: Buffer.from('{"type":"skill-check","actorUuid":"Actor.mira","skill":"prc"}'),
      budgetMs,
    });

  return {
    call: (index) => ask(index, 10_000),
    async reserve(index) {
      const known = windows[index % count] as (typeof windows)[0];
      const request = { quota: 'calls:key', limit: 1e8, windowMs: 60_000, reserve: 0, needed: 1, wanted: 1 };
      const grant = await ledgers[index % count]?.reserve({ ...request, ...known });
      if (grant) Object.assign(known, { window: grant.window, held: grant.held });
    },
    async hold() {
      held.isHolding = true;
      const calls = clusters.flatMap((_cluster, index) =>
        clusters.map((_other, owner) => ask(index, 60_000, owner)),
      );
      while (held.answers.length < calls.length) await new Promise(setImmediate);
      held.isHolding = false;
      return async () => {
        for (const answer of held.answers.splice(0)) answer();
        await Promise.all(calls);
      };
    },
    async redisUs() {
      const info = await admin.info('cpu');
      const seconds = [...info.matchAll(/used_cpu_(?:user|sys)_main_thread:([\d.]+)/g)];
      return seconds.reduce((sum, [, one]) => sum + Number(one) * 1e6, 0);
    },
    async stop() {
      await Promise.all(quotas.map((one) => one.stop()));
      await Promise.all(ledgers.map((ledger) => ledger.close()));
      await Promise.all(clusters.map((cluster) => cluster.stop()));
      admin.disconnect();
    },
  };
}

async function startCluster(
  url: string,
  instanceId: string,
  held: { answers: (() => void)[]; isHolding: boolean },
): Promise<Cluster> {
  const holds = { hold: () => Promise.resolve(), isHeld: () => Promise.resolve(false) };
  const cluster = createRedisCluster({ instanceId, shards: [url], holds });
  const claim = { clientId: `client-of-${instanceId}`, conn: `conn-of-${instanceId}`, accountId, meta: '' };
  await cluster.start({
    deliver: ({ body }) => {
      const reply: Reply = { head: {}, body };
      if (!held.isHolding) return Promise.resolve(reply);
      const { promise, resolve } = Promise.withResolvers<Reply>();
      held.answers.push(() => resolve(reply));
      return promise;
    },
    isArriving: () => false,
    probe: () => Promise.resolve(true),
    evict: () => {},
    promote: () => {},
    claims: () => [{ ...claim, epoch: 0 }],
  });
  await cluster.directory.claim(claim);
  return cluster;
}
