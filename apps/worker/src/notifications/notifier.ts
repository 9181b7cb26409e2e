import type { Database, Sealer } from '@tabletop-relay/database';
import { createJobQueue, notificationJobs, startJobWorker } from '@tabletop-relay/jobs';
import type { JobQueue, JobsConnection } from '@tabletop-relay/jobs';
import { createSmtpMail } from '@tabletop-relay/notifications';
import { createAddressGuard } from '@tabletop-relay/outbound';
import type { Logger } from 'pino';
import type { WorkerConfig } from '../config.ts';
import { startPump } from './pump.ts';
import { sendNotification } from './send-notification.ts';
import { operatorTargets } from './outbox/targets.ts';

export interface NotifierOptions {
  db: Database;
  connection: JobsConnection;
  config: WorkerConfig;
  sealer: Sealer;
  log: Logger;
  onEnd(name: string, outcome: 'done' | 'retried' | 'failed', ms: number): void;
  times?: Partial<NotifierTimes>;
}

/** How long the steps of a notification wait. */
export interface NotifierTimes {
  everyMs: number;
  settleMs: number;
  /** How often a notification without a job is looked for: a queue that was emptied loses nothing. */
  recheckMs: number;
  /** How much longer than a receiver a worker may take for an attempt. */
  marginMs: number;
}

const usualTimes: NotifierTimes = { everyMs: 1_000, settleMs: 2_000, recheckMs: 60_000, marginMs: 5_000 };
/** A worker that is silent for so long has lost its jobs to another. The lease in Postgres keeps both from sending. */
const lockMs = 10_000;

export interface Notifier {
  /** As of a `JobQueue`. */
  depth: JobQueue['depth'];
  stop(): Promise<void>;
}

/** Sends notifications until it is stopped. */
export async function startNotifier(options: NotifierOptions): Promise<Notifier> {
  const { db, connection, config, log, onEnd } = options;
  const times = { ...usualTimes, ...options.times };
  const { smtpUrl, publicUrl, reread = (url: string) => url } = config;
  const sendMail = smtpUrl
    ? createSmtpMail(() => reread(smtpUrl), config.mailFrom, config.notificationTimeoutMs)
    : undefined;
  const queueOptions = { connection, log, catalogue: notificationJobs, queueName: 'notifications' };
  const deps = {
    db,
    sealer: options.sealer,
    guard: createAddressGuard({ allow: config.outboundAllow }),
    sendMail,
    domain: publicUrl ? new URL(publicUrl).hostname : 'localhost',
    settings: config,
    settingsUrl: publicUrl && `${publicUrl}/dashboard/notifications`,
    // A mail takes longer than its one time-out: connection, greeting and silence have one each.
    recheckMs: times.recheckMs,
    leaseMs: 4 * config.notificationTimeoutMs + times.marginMs,
    now: Date.now,
    random: Math.random,
  };
  const queue = createJobQueue(queueOptions);
  const worker = await startJobWorker({
    ...queueOptions,
    lockMs,
    handlers: {
      notify: ({ id, try: queuedTry }, { attempt }) => sendNotification(deps, { id, attempt, queuedTry }),
    },
    concurrency: config.notificationsAtOnce,
    onEnd,
  });
  const pump = startPump({
    db,
    queue,
    log,
    ...times,
    operatorTargets: operatorTargets(config),
    sendsMail: sendMail !== undefined,
    now: Date.now,
  });
  return {
    depth: queue.depth,
    async stop() {
      await pump.stop();
      await worker.close();
      await queue.close();
    },
  };
}
