import type { Database } from '@tabletop-relay/database';
import type { JobQueue, notificationJobs } from '@tabletop-relay/jobs';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { collectNotices } from './outbox/collect-notices.ts';
import type { CollectOptions } from './outbox/collect-notices.ts';
import { keepQuiet } from './outbox/keep-quiet.ts';
import { takeDue } from './take-due.ts';
import type { DueTry } from './take-due.ts';

export interface PumpOptions extends CollectOptions {
  db: Database;
  queue: Pick<JobQueue<typeof notificationJobs>, 'add'>;
  log: Logger;
  everyMs: number;
  /** How long a job may wait in the queue before it is added again. */
  holdMs: number;
}

/** Moves notices into notifications, and notifications that are due into the queue, until it is stopped. */
export interface Pump {
  /** Resolves when what runs has ended. */
  stop(): Promise<void>;
}

export function startPump(options: PumpOptions): Pump {
  const { queue, log, everyMs } = options;
  let isStopping = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  async function round(): Promise<void> {
    try {
      let isMore = true;
      while (isMore && !isStopping) {
        const { moved, due } = await step(options);
        // Whoever takes them away before they are added leaves them held: they are due again after a while.
        for (const one of due) await queue.add('notify', one);
        isMore = moved > 0 || due.length > 0;
      }
    } catch (error) {
      log.warn({ err: error }, 'notifications wait for Postgres or for the job queue');
    }
    if (isStopping) return;
    timer = setTimeout(() => {
      running = round();
    }, everyMs);
  }

  running = round();
  return {
    async stop() {
      isStopping = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** One transaction; of all workers one does it at a time. */
async function step(options: PumpOptions): Promise<{ moved: number; due: DueTry[] }> {
  return await options.db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('notifications')) as mine`.execute(trx);
    if (!rows[0]?.mine) return { moved: 0, due: [] };
    const moved = await collectNotices(trx, options);
    await keepQuiet(trx, new Date(options.now()));
    return { moved, due: await takeDue(trx, options.holdMs) };
  });
}
