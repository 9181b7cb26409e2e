import { createMemoryCluster, createRedisCluster, createTraffic } from '@tabletop-relay/cluster';
import { createMemoryLedger, createRedisLedger } from '@tabletop-relay/limits';
import type { Cluster } from '@tabletop-relay/cluster';
import type { Ledger } from '@tabletop-relay/limits';
import type { RelaySecrets } from '@tabletop-relay/database';
import { sessionQueue } from '@tabletop-relay/headless';
import { createJobQueue, workerQueues } from '@tabletop-relay/jobs';
import type { JobsConnection } from '@tabletop-relay/jobs';
import { createQueueMetrics, nameOfHost, reaching, version } from '@tabletop-relay/process';
import type { Shutdown } from '@tabletop-relay/process';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { createBusMetrics } from './instances/bus-metrics.ts';
import { chooseMail } from './choose-mail.ts';
import { createRelay } from './app.ts';
import type { Relay, RelayOptions } from './app.ts';
import { warnOfRelayConfig } from './config.ts';
import type { RelayConfig } from './config.ts';
import type { HeadlessStores } from './headless/headless-room.ts';
import { createHoldStore } from './instances/hold-store.ts';
import { createReadingStore } from './instances/reading-store.ts';
import { refuseBesideRedis } from './instances/refuse-beside-redis.ts';
import { takeInstanceLock } from './instance-lock.ts';
import { openStores, readSecrets } from './stores.ts';
import type { Stores } from './stores.ts';
import { streamBoundsOf } from './streams/stream-settings.ts';

export interface RunningInstance {
  relay: Relay;
  /** Where it listens. */
  address: string;
  /** The Postgres that it runs on. */
  databaseUrl: string;
  /** That Postgres as the owner of its tables, where the relay is not. */
  migrateDatabaseUrl?: string;
  /** RELAY_SECRET, or the one that was made instead. */
  secrets: RelaySecrets;
  /** Drains, then closes its stores. */
  stop(): Promise<void>;
}

export interface InstanceOptions {
  config: RelayConfig;
  log: Logger;
  registry: Registry;
  /** Identity of this process, where its name was taken by it. */
  boot?: string;
  /** Those that it serves, where it does not serve all. */
  operations?: RelayOptions['operations'];
  /** Whether links sign in: see `RelayOptions`. */
  signInLinks?: boolean;
  /** Stops the process: where another instance has taken its place, or an operator asked this one to drain. */
  shutdown: Pick<Shutdown, 'begin'>;
}

/** One whole instance from its settings: stores, cluster, relay; listening when it resolves. */
export async function startInstance({
  config,
  log,
  registry,
  boot,
  operations,
  signInLinks = false,
  shutdown,
}: InstanceOptions): Promise<RunningInstance> {
  for (const warning of warnOfRelayConfig(config)) log.warn(warning);
  const secrets = readSecrets(config);
  const stores = await openStores(config, log);
  let releaseLock = () => Promise.resolve();
  try {
    const { reread = (url: string) => url } = config;
    const hasRedis = config.redisUrl.length > 0;
    const instanceLock = await takeInstanceLock({
      hasRedis,
      currentUrl: () => reread(stores.databaseUrl),
      log,
      onLost: () => {
        log.fatal('another relay has taken this database; stopping');
        shutdown.begin('lost');
      },
    });
    releaseLock = instanceLock.release;
    if (!hasRedis) await refuseBesideRedis(stores.db);
    const cluster = createCluster({ config, stores, log, registry, ...(boot && { boot }) });
    const relay = await createRelay({
      // There is no other instance that modules could come over to.
      config: hasRedis ? config : { ...config, drainGraceMs: 0 },
      db: stores.db,
      vitalDb: stores.vitalDb,
      cluster,
      ledger: createLedger(config, cluster.boot),
      log,
      registry,
      version,
      secrets,
      onDrainAsked: () => shutdown.begin('an operator asked for it'),
      sendMail: chooseMail(config, log),
      headlessStores: headlessStoresOf(config, stores),
      ...(operations && { operations }),
      signInLinks,
    });
    const address = await relay.listen();
    const closeQueues = tellQueues(registry, headlessStoresOf(config, stores).jobs, log);
    const stop = async () => {
      await relay.drain();
      await closeQueues();
      await releaseLock();
      await stores.close();
    };
    const { databaseUrl, migrateDatabaseUrl } = stores;
    return { relay, address, databaseUrl, secrets, ...(migrateDatabaseUrl && { migrateDatabaseUrl }), stop };
  } catch (error) {
    await releaseLock();
    await stores.close();
    throw error;
  }
}

interface ClusterParts extends Pick<InstanceOptions, 'config' | 'log' | 'registry' | 'boot'> {
  stores: Stores;
}

function createCluster({ config, stores: { vitalDb }, log, registry, boot }: ClusterParts): Cluster {
  const instanceId = config.instanceId ?? nameOfHost();
  const streams = streamBoundsOf(config);
  if (config.redisUrl.length === 0) return createMemoryCluster({ instanceId, streams });
  const traffic = createTraffic();
  createBusMetrics(registry, traffic);
  const cluster = createRedisCluster({
    instanceId,
    ...(boot && { boot }),
    shards: config.redisUrl,
    ...(config.reread && { reread: config.reread }),
    holds: createHoldStore(vitalDb, instanceId),
    readings: createReadingStore(vitalDb, instanceId),
    bounds: { incomingBytes: config.replyBytes, incomingBytesPerAccount: config.replyBytesPerAccount },
    streams,
    traffic,
    log,
  });
  return { ...cluster, start: (own) => reaching('Redis', 'REDIS_URL', () => cluster.start(own)) };
}

function createLedger(config: RelayConfig, boot: string): Ledger {
  const url = config.limitsRedisUrl ?? config.redisUrl[0];
  if (!url) return createMemoryLedger(boot);
  return createRedisLedger({ url, boot, ...(config.reread && { reread: config.reread }) });
}

const closeMs = 1_000;

/**
 * Tells at each scrape what stands in the queues of workers and browser hosts, so that one is missed that is not scraped any more.
 * Where the queues are in Postgres, their own processes tell it. Returns what ends that; a store that is away is not waited for.
 */
function tellQueues(registry: Registry, connection: JobsConnection, log: Logger): () => Promise<void> {
  if (!('redisUrl' in connection)) return () => Promise.resolve();
  const open = (queueName: string) => createJobQueue({ connection, log, queueName });
  const named = [
    ...workerQueues.map((name) => [name, open(name)] as const),
    ['sessions', open(sessionQueue)] as const,
  ];
  createQueueMetrics(registry, Object.fromEntries(named.map(([name, { depth }]) => [name, depth])));
  return async () => {
    const closed = Promise.all(named.map(([, queue]) => queue.close()));
    const late = new Promise<void>((resolve) => setTimeout(resolve, closeMs).unref());
    await Promise.race([closed.catch(() => {}), late]);
  };
}

function headlessStoresOf(config: RelayConfig, { databaseUrl }: Stores): HeadlessStores {
  const { redisUrl, limitsRedisUrl, jobsRedisUrl = redisUrl[0], reread } = config;
  const url = limitsRedisUrl ?? redisUrl[0];
  return {
    postgres: { url: databaseUrl, ...(reread && { reread }) },
    jobs: jobsRedisUrl ? { redisUrl: jobsRedisUrl, ...(reread && { reread }) } : { databaseUrl },
    ...(url && { redis: { url, ...(reread && { reread }) } }),
  };
}
