import { createSealer } from '@tabletop-relay/database';
import type { Database, RelaySecrets } from '@tabletop-relay/database';
import { createJobQueue, notificationJobs, startJobWorker } from '@tabletop-relay/jobs';
import type { JobQueue, JobsConnection } from '@tabletop-relay/jobs';
import { createSmtpMail } from '@tabletop-relay/notifications';
import { createAddressGuard } from '@tabletop-relay/outbound';
import type { Logger } from 'pino';
import type { WorkerConfig } from '../config.ts';
import { startPump } from './pump.ts';
import { sendNotification } from './delivery/send-notification.ts';
import { operatorTargets } from './outbox/targets.ts';

export interface NotifierOptions {
  db: Database;
  connection: JobsConnection;
  config: WorkerConfig;
  secrets: RelaySecrets;
  log: Logger;
  onEnd(name: string, outcome: 'done' | 'retried' | 'failed', ms: number): void;
  times?: Partial<NotifierTimes>;
}

/** How long the steps of a notification wait. */
export interface NotifierTimes {
  everyMs: number;
  settleMs: number;
  /** How long a job may wait in the queue before it is added again: a queue that was emptied loses nothing. */
  holdMs: number;
  /** How much longer than a receiver a worker may take for a try. */
  marginMs: number;
}

const usualTimes: NotifierTimes = { everyMs: 1_000, settleMs: 2_000, holdMs: 120_000, marginMs: 5_000 };

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
    sealer: createSealer(options.secrets),
    guard: createAddressGuard({ allow: config.outboundAllow }),
    sendMail,
    domain: publicUrl ? new URL(publicUrl).hostname : 'localhost',
    settings: config,
    settingsUrl: publicUrl && `${publicUrl}/dashboard/notifications`,
    // A mail takes longer than its one time-out: connection, greeting and silence have one each.
    leaseMs: 4 * config.notificationTimeoutMs + times.marginMs,
    now: Date.now,
    random: Math.random,
  };
  const queue = createJobQueue(queueOptions);
  const worker = await startJobWorker({
    ...queueOptions,
    handlers: { notify: (due) => sendNotification(deps, due) },
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
