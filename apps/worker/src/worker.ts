import { createRedisLedger } from '@tabletop-relay/limits';
import type { Ledger } from '@tabletop-relay/limits';
import {
  checkVersion,
  connectDatabase,
  createSealer,
  reachDatabase,
  readRelaySecrets,
  readRole,
  startProcessReports,
  tryWriting,
} from '@tabletop-relay/database';
import type { Database, ProcessReports } from '@tabletop-relay/database';
import { createJobQueue, startJobWorker } from '@tabletop-relay/jobs';
import type { JobHandlers, JobQueue, JobsConnection, JobWorker } from '@tabletop-relay/jobs';
import { createReadiness, nameOfHost, reaching } from '@tabletop-relay/process';
import type { Readiness } from '@tabletop-relay/process';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { randomBytes } from 'node:crypto';
import type { WorkerConfig } from './config.ts';
import { expire } from './jobs/expiry.ts';
import { migrateAll } from './migrate-all.ts';
import { tellTroubles } from './notifications/troubles.ts';
import { startNotifier } from './notifications/notifier.ts';
import type { Notifier, NotifierTimes } from './notifications/notifier.ts';
import { keepCalls, keepRecords } from './jobs/retention.ts';
import { rollUpUsage } from './jobs/usage-roll-up.ts';
import { createWorkerMetrics, tellQueues } from './jobs/worker-metrics.ts';

export interface WorkerOptions {
  config: WorkerConfig;
  log: Logger;
  registry: Registry;
  /** Its name in reports, for people; by the machine's unless given. */
  instanceId?: string;
  notifierTimes?: Partial<NotifierTimes>;
}

export interface Worker {
  /** Not ready while Postgres takes no writes: no job could be done. */
  readiness(): Promise<Readiness>;
  /** Resolves when the running jobs have ended. Other jobs wait for another worker. */
  stop(): Promise<void>;
}

/** Starts a worker from its settings. When it resolves, the schedules are set and jobs run. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { config, log, registry, notifierTimes, instanceId = nameOfHost() } = options;
  const { databaseUrl, migrate, jobsAtOnce, reread } = config;
  const db = connectDatabase({ url: databaseUrl, poolSize: jobsAtOnce, log, ...(reread && { reread }) });
  const ledger = openLedger(config);
  let queue: JobQueue | undefined;
  let worker: JobWorker | undefined;
  let notifier: Notifier | undefined;
  let reports: ProcessReports | undefined;
  let scheduling: NodeJS.Timeout | undefined;
  const boot = randomBytes(10).toString('hex');

  async function stop(): Promise<void> {
    clearInterval(scheduling);
    await reports?.stop();
    await notifier?.stop();
    await worker?.close();
    await queue?.close();
    await ledger?.close();
    await db.destroy();
  }

  try {
    await reaching('Postgres', 'DATABASE_URL', () => reachDatabase(db));
    if (migrate) {
      const role = await readRole(db);
      await reaching('Postgres', 'MIGRATE_DATABASE_URL', () => migrateAll({ config, role, log }));
    }
    await reaching('Postgres', 'DATABASE_URL', async () => {
      await checkVersion(db);
      await tryWriting(db);
    });
    queue = createJobQueue({ connection: connectionOf(config), log });
    const connection = connectionOf(config);
    const { schedule } = queue;
    await reachingQueue(config, schedule);
    // A store that was emptied has no schedules. While it is away, the queue says so itself.
    scheduling = setInterval(
      () => void schedule({ onlyMissing: true }).catch(() => {}),
      notifierTimes?.recheckMs ?? rescheduleMs,
    );
    const onEnd = countJobs(registry);
    worker = await reachingQueue(config, () =>
      startJobWorker({
        connection,
        handlers: createHandlers({ db, ledger, config, log }),
        concurrency: jobsAtOnce,
        log,
        onEnd,
      }),
    );
    const secrets = readRelaySecrets(config.relaySecret);
    if (!secrets) throw new Error('a worker needs the relay’s secret');
    const sealer = createSealer(secrets);
    notifier = await startNotifier({
      db, connection, config, sealer, log, onEnd,
      ...(notifierTimes && { times: notifierTimes }),
    }); // prettier-ignore
    reports = startProcessReports({
      db, kind: 'worker', boot, instanceId, keyIds: sealer.keyIds, log,
    }); // prettier-ignore
    tellQueues(registry, { jobs: queue.depth, notifications: notifier.depth });
    return { readiness: createReadiness(worker.isRunning, () => tryWriting(db), queue.depth), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const rescheduleMs = 60_000;

function reachingQueue<T>(config: WorkerConfig, step: () => Promise<T>): Promise<T> {
  const { jobsRedisUrl, redisUrl } = config;
  if (jobsRedisUrl) return reaching('Redis', 'JOBS_REDIS_URL', step);
  if (redisUrl.length > 0) return reaching('Redis', 'REDIS_URL', step);
  return reaching('Postgres', 'DATABASE_URL', step);
}

/** The queue is in Redis, or in Postgres if no Redis is set. */
function connectionOf(config: WorkerConfig): JobsConnection {
  const redisUrl = config.jobsRedisUrl ?? config.redisUrl[0];
  const { databaseUrl, reread } = config;
  return redisUrl ? { redisUrl, ...(reread && { reread }) } : { databaseUrl };
}

/** Without Redis the relay counts the limits in its own process, so there is no ledger to raise. */
function openLedger(config: WorkerConfig): Ledger | undefined {
  const url = config.limitsRedisUrl ?? config.redisUrl[0];
  if (!url) return undefined;
  const boot = `worker-${randomBytes(10).toString('hex')}`;
  return createRedisLedger({ url, boot, ...(config.reread && { reread: config.reread }) });
}

function createHandlers(deps: {
  db: Database;
  ledger: Ledger | undefined;
  config: WorkerConfig;
  log: Logger;
}): JobHandlers {
  const { db, ledger, config, log } = deps;
  return {
    async 'usage-roll-up'() {
      if (ledger) log.debug({ keys: await rollUpUsage(db, ledger) }, 'usage rolled up');
      log.debug({ troubles: await tellTroubles(db) }, 'troubles told');
    },
    async expiry(_payload, { signal }) {
      log.info({ deleted: await expire(db, signal) }, 'expired rows deleted');
    },
    'call-retention': (_payload, { signal }) => keepCalls(db, config.keepCallLogDays, signal),
    retention(_payload, { signal }) {
      const days = {
        connectionLogs: config.keepConnectionLogDays,
        remoteRequestLogs: config.keepRemoteRequestLogDays,
        auditLog: config.keepAuditLogDays,
        notifications: config.keepNotificationDays,
      };
      return keepRecords(db, days, signal);
    },
  };
}

function countJobs(registry: Registry): (name: string, outcome: string, ms: number) => void {
  const { tries, seconds } = createWorkerMetrics(registry);
  return (job, outcome, ms) => {
    tries.inc({ job, outcome });
    seconds.observe({ job }, ms / 1_000);
  };
}
