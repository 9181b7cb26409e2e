import {
  checkVersion,
  connectDatabase,
  reachDatabase,
  startProcessReports,
  tryWriting,
} from '@tabletop-relay/database';
import type { Database } from '@tabletop-relay/database';
import {
  createMemoryShortLived,
  createRedisShortLived,
  createSessionNotices,
  sessionJobs,
  sessionQueue,
} from '@tabletop-relay/headless';
import { createJobQueue, startJobWorker } from '@tabletop-relay/jobs';
import type { JobsConnection } from '@tabletop-relay/jobs';
import { createAddressGuard } from '@tabletop-relay/outbound';
import type { AddressGuard } from '@tabletop-relay/outbound';
import { createReadiness, nameOfHost, reaching } from '@tabletop-relay/process';
import type { Readiness } from '@tabletop-relay/process';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { randomBytes } from 'node:crypto';
import { adapters } from './adapters/index.ts';
import { tellOfSandbox } from './browser/sandbox.ts';
import { createBrowsers } from './browser/browser.ts';
import { clearProfiles } from './browser/profiles.ts';
import { databasePool } from './config.ts';
import type { BrowserHostConfig } from './config.ts';
import { createHostMetrics } from './host-metrics.ts';
import type { HostFacts } from './host-metrics.ts';
import { startBeats } from './sessions/beats.ts';
import type { RunningSession } from './sessions/running-session.ts';
import { createSessionJob } from './sessions/session-job.ts';

export interface BrowserHostOptions {
  config: BrowserHostConfig;
  log: Logger;
  registry: Registry;
  /** Its name in reports and sessions, for people; by the machine's unless given. */
  instanceId?: string;
  /** Decides which addresses pages may reach; by OUTBOUND_ALLOW unless given. */
  guard?: AddressGuard;
  /** How long a host that stopped answering keeps its sessions. */
  lockMs?: number;
}

export interface BrowserHost {
  /** Not ready while Postgres takes no writes: no session could begin. */
  readiness(): Promise<Readiness>;
  /** Hands its sessions to another host, or ends them where there can be none. */
  stop(): Promise<void>;
}

/** Starts a browser host from its settings. It takes sessions when it resolves; each has a browser of its own. */
export async function startBrowserHost(options: BrowserHostOptions): Promise<BrowserHost> {
  const { config, log, registry, instanceId = nameOfHost() } = options;
  const { databaseUrl, reread } = config;
  const db = connectDatabase({ url: databaseUrl, poolSize: databasePool, log, ...(reread && { reread }) });
  const redis = redisOf(config);
  const kept = redis ? createRedisShortLived(redis) : createMemoryShortLived();
  const startBrowser = createBrowsers({
    chromiumPath: config.chromiumPath,
    memoryMb: config.headlessMemoryMb,
    requireSandbox: config.requireSandbox,
    log,
  });
  const connection = connectionOf(config);
  const sessions = new Set<RunningSession>();
  const queue = createJobQueue({ connection, log, catalogue: sessionJobs, queueName: sessionQueue });
  const notices = createSessionNotices({ url: databaseUrl, log, ...(reread && { reread }) });
  const beats = startBeats({ db, log, sessions, settings: config });
  const closeStores = async () => {
    await beats.stop();
    await Promise.all([queue.close(), notices.close()]);
    kept.close();
    await db.destroy();
  };
  try {
    await checkDatabase(db);
    await tellOfSandbox(log);
    await clearLeft(log);
    const worker = await reachingQueue(config, () =>
      startJobWorker({
        connection,
        catalogue: sessionJobs,
        queueName: sessionQueue,
        concurrency: config.headlessAtOnce,
        lockMs: options.lockMs ?? defaultLockMs,
        log,
        handlers: {
          'headless-session': createSessionJob({
          db, log, startBrowser, kept, adapters, sessions, beats, notices, queue,
          guard: options.guard ?? createAddressGuard({ allow: config.outboundAllow }),
          settings: config,
          host: instanceId,
          canHandOver: redis !== undefined,
          onEnd: countSessions(registry, { sessions, depth: queue.depth }),
        }), // prettier-ignore
        },
      }),
    );
    const boot = randomBytes(10).toString('hex');
    const reports = startProcessReports({ db, kind: 'browser-host', boot, instanceId, log });
    return {
      readiness: createReadiness(worker.isRunning, () => tryWriting(db), queue.depth),
      async stop() {
        await reports.stop();
        const closed = worker.close();
        for (const session of sessions) session.leave({ kind: 'handover' });
        await closed;
        await closeStores();
      },
    };
  } catch (error) {
    await closeStores();
    throw error;
  }
}

/** A folder that cannot be deleted is no reason not to serve. */
async function clearLeft(log: Logger): Promise<void> {
  try {
    const count = await clearProfiles();
    if (count > 0) log.info({ count }, 'folders of browsers were deleted, which a killed host left behind');
  } catch (error) {
    log.warn({ err: error }, 'folders of browsers that a killed host left behind could not be deleted');
  }
}

/** A dead host's sessions go on elsewhere after this time and its half again. */
const defaultLockMs = 10_000;

async function checkDatabase(db: Database): Promise<void> {
  await reaching('Postgres', 'DATABASE_URL', () => reachDatabase(db));
  await reaching('Postgres', 'DATABASE_URL', async () => {
    await checkVersion(db);
    await tryWriting(db);
  });
}

function reachingQueue<T>(config: BrowserHostConfig, step: () => Promise<T>): Promise<T> {
  const { jobsRedisUrl, redisUrl } = config;
  if (jobsRedisUrl) return reaching('Redis', 'JOBS_REDIS_URL', step);
  if (redisUrl.length > 0) return reaching('Redis', 'REDIS_URL', step);
  return reaching('Postgres', 'DATABASE_URL', step);
}

function connectionOf({ jobsRedisUrl, redisUrl, databaseUrl, reread }: BrowserHostConfig): JobsConnection {
  const url = jobsRedisUrl ?? redisUrl[0];
  return url ? { redisUrl: url, ...(reread && { reread }) } : { databaseUrl };
}

/** Where cookies are kept; undefined: in this process, as no other runs. */
function redisOf({ limitsRedisUrl, redisUrl, reread }: BrowserHostConfig) {
  const url = limitsRedisUrl ?? redisUrl[0];
  return url === undefined ? undefined : { url, ...(reread && { reread }) };
}

function countSessions(registry: Registry, facts: HostFacts) {
  const { left } = createHostMetrics(registry, facts);
  return (outcome: 'ended' | 'failed' | 'handed_over') => left.inc({ outcome });
}
