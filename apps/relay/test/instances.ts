import { createMemoryCluster, createMemoryHub, createRedisCluster } from '@tabletop-relay/cluster';
import { createLedgerMemory, createMemoryLedger, createRedisLedger } from '@tabletop-relay/limits';
import type { Cluster, ClusterTimes } from '@tabletop-relay/cluster';
import type { Ledger } from '@tabletop-relay/limits';
import type { Operation } from '@tabletop-relay/contract';
import { connectDatabase } from '@tabletop-relay/database';
import type { Database, RelaySecrets } from '@tabletop-relay/database';
import { asOwner, createTestDatabase } from '@tabletop-relay/testing';
import { pino } from 'pino';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import Value from 'typebox/value';
import { keyBounds } from '../src/keys/bounds.ts';
import { worldBounds } from '../src/worlds/bounds.ts';
import { limitSettings } from '../src/limits/limits.ts';
import type { SendMail } from '@tabletop-relay/notifications';
import { createRelay } from '../src/app.ts';
import type { Relay, RelayOptions } from '../src/app.ts';
import { relayConstants, RelayConfigSchema } from '../src/config.ts';
import type { RoomSettings } from '../src/config.ts';
import { createHoldStore } from '../src/instances/hold-store.ts';
import { createReadingStore } from '../src/instances/reading-store.ts';
import { streamBoundsOf } from '../src/streams/stream-settings.ts';
import { createAnswerChecks } from './check-answers.ts';
import type { AnswerChecks } from './check-answers.ts';

export interface TestInstance {
  relay: Relay;
  url: string;
  cluster: Cluster;
  registry: Registry;
  db: Database;
  stop(): Promise<void>;
}

export interface TestInstances {
  /** At least one; all on one database and one bus. */
  instances: [TestInstance, ...TestInstance[]];
  db: Database;
  databaseUrl: string;
  /** The database as the owner of its tables: for what the relay's role may not do. */
  ownerUrl: string;
  /** The instances' log lines, parsed. */
  logs: Record<string, unknown>[];
  /** Adds an instance to the same cluster. */
  add(): Promise<TestInstance>;
  stop(): Promise<void>;
}

export interface TestInstancesOptions {
  count?: number;
  /** Redis shards; absent: the in-process drivers. */
  redis?: readonly string[];
  times?: Partial<ClusterTimes>;
  /** Settings, and constants of the rooms. */
  config?: Partial<RoomSettings>;
  operations?: readonly Operation[];
  endpoints?: RelayOptions['endpoints'];
  dashboardRoot?: string;
  databaseUrl?: string;
  /** The ways of each instance to the stores, in their order, where they are not the same for all. */
  waysToStores?: readonly { redis: readonly string[]; databaseUrl: string }[];
  sendMail?: SendMail;
  onRoute?: RelayOptions['onRoute'];
  signInLinks?: boolean;
  /** RELAY_SECRET of each instance, in their order. */
  secrets?: readonly RelaySecrets[];
  /** Takes the log lines instead of `logs`. */
  log?: Logger;
}

/** The limits per address as they are documented. */
export const defaultLimits = Object.fromEntries(
  Object.entries(limitSettings).map(([name, setting]) => [name, Value.Create(setting)]),
) as Partial<RoomSettings>;

/** Limits that tests do not meet, except where they are what is tested. */
const wideLimits = Object.fromEntries(Object.keys(limitSettings).map((name) => [name, '1000000 per 1 min']));
const bounds = ['maxSessionsPerAccount', ...Object.keys({ ...worldBounds, ...keyBounds })];
const wideBounds = Object.fromEntries(bounds.map((name) => [name, 1_000_000]));

const defaultSecrets: RelaySecrets = ['a secret for tests; long enough.'];

/** Whole instances in this process, on a database of their own. Stopping them fails where an answer was not as it is declared. */
export async function startInstances(options: TestInstancesOptions = {}): Promise<TestInstances> {
  const database = options.databaseUrl ? undefined : await createTestDatabase();
  const databaseUrl = options.databaseUrl ?? (database as { url: string }).url;
  const hub = createMemoryHub();
  const ledgerMemory = createLedgerMemory();
  const logs: Record<string, unknown>[] = [];
  const log =
    options.log ?? pino({ level: 'debug' }, { write: (line: string) => void logs.push(JSON.parse(line)) });
  const instances: TestInstance[] = [];
  const config = configOf(options);
  const answers = createAnswerChecks();
  const shared = { config, log, options, answers };
  const streams = streamBoundsOf(config);

  async function add(): Promise<TestInstance> {
    const instanceId = `test-${instances.length + 1}`;
    const ways = { redis: options.redis, databaseUrl, ...options.waysToStores?.[instances.length] };
    const db = connectDatabase({ url: ways.databaseUrl, poolSize: 5, log });
    const cluster = ways.redis
      ? createRedisCluster({
          instanceId,
          shards: ways.redis,
          holds: createHoldStore(db, instanceId),
          readings: createReadingStore(db, instanceId),
          streams,
          log,
          ...(options.times ? { times: options.times } : {}),
        })
      : createMemoryCluster({ instanceId, hub, streams });
    const [redisUrl] = ways.redis ?? [];
    const ledger = redisUrl
      ? createRedisLedger({ url: redisUrl, boot: cluster.boot })
      : createMemoryLedger(cluster.boot, ledgerMemory);
    const headlessStores = {
      postgres: { url: ways.databaseUrl },
      ...(redisUrl ? { jobs: { redisUrl }, redis: { url: redisUrl } } : { jobs: { databaseUrl } }),
    };
    const secrets = options.secrets?.[instances.length] ?? defaultSecrets;
    const instance = await startOne({ ...shared, db, cluster, ledger, headlessStores, secrets });
    instances.push(instance);
    return instance;
  }

  for (let index = 0; index < (options.count ?? 1); index++) await add();
  const db = connectDatabase({ url: databaseUrl, poolSize: 3, log });
  return {
    instances: instances as [TestInstance, ...TestInstance[]],
    db,
    databaseUrl,
    ownerUrl: asOwner(databaseUrl),
    logs,
    add,
    async stop() {
      await Promise.all(instances.map((instance) => instance.stop()));
      await db.destroy();
      await database?.drop();
      answers.verify();
    },
  };
}

function configOf(options: TestInstancesOptions): RoomSettings {
  return Value.Default(RelayConfigSchema, {
    ...relayConstants,
    port: 0,
    callsPerMinute: 0,
    callsInFlightPerKey: 10_000,
    callsInFlightPerClient: 10_000,
    drainWaitMs: 0,
    drainSpreadMs: 0,
    drainGraceMs: 0,
    callRowsEveryMs: 50,
    // On a busy machine a password would wait for seconds behind other tests.
    hashingNiceness: 0,
    // They would take the processor from every test.
    handshakeKeysAhead: 0,
    ...wideLimits,
    ...wideBounds,
    ...options.config,
  }) as RoomSettings;
}

async function startOne(input: {
  config: RoomSettings;
  db: Database;
  cluster: Cluster;
  ledger: Ledger;
  log: Logger;
  options: TestInstancesOptions;
  headlessStores: RelayOptions['headlessStores'];
  secrets: RelaySecrets;
  answers: AnswerChecks;
}): Promise<TestInstance> {
  const { config, db, cluster, ledger, log, options, headlessStores, answers } = input;
  const registry = new Registry();
  const relay = await createRelay({
    config,
    db,
    vitalDb: db,
    cluster,
    ledger,
    log,
    registry,
    version: '0.0.0-test',
    secrets: input.secrets,
    headlessStores,
    sendMail: options.sendMail ?? (() => Promise.resolve()),
    ...(options.operations ? { operations: options.operations } : {}),
    ...(options.endpoints ? { endpoints: options.endpoints } : {}),
    ...(options.dashboardRoot ? { dashboardRoot: options.dashboardRoot } : {}),
    ...(options.signInLinks ? { signInLinks: true } : {}),
    onRoute(route) {
      answers.watch(route);
      options.onRoute?.(route);
    },
  });
  const url = await relay.listen();
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= relay.drain().then(() => db.destroy()));
  return { relay, url, cluster, registry, db, stop };
}
