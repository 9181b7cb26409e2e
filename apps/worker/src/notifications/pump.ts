import type { Database } from '@tabletop-relay/database';
import type { JobQueue, notificationJobs } from '@tabletop-relay/jobs';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { collectNotices } from './outbox/collect-notices.ts';
import type { Collected, CollectOptions } from './outbox/collect-notices.ts';

export interface PumpOptions extends CollectOptions {
  db: Database;
  queue: Pick<JobQueue<typeof notificationJobs>, 'ensure'>;
  log: Logger;
  everyMs: number;
  /** How often every open notification is looked at for its job. */
  recheckMs: number;
}

/** Moves notices into notifications, and sees to it that each open notification has its job, until it is stopped. */
export interface Pump {
  /** Resolves when what runs has ended. */
  stop(): Promise<void>;
}

export function startPump(options: PumpOptions): Pump {
  const { log, everyMs, recheckMs } = options;
  let isStopping = false;
  let checkedAt = -Infinity;
  /** Those sent again that the last round saw: each is hastened once. One that loses its job is found by the look at all. */
  let hastened = new Set<string>();
  /** A store may be away for long: one line of it does. */
  let isLogged = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  async function step(): Promise<void> {
    while (!isStopping) {
      const { moved, due } = await collect(options);
      await ensureJobs(options, due, { hasten: true });
      if (moved === 0) break;
    }
    const again = await readSentAgain(options.db);
    const fresh = again.filter((one) => !hastened.has(timeOf(one)));
    await ensureJobs(options, fresh, { hasten: true });
    hastened = new Set(again.map(timeOf));
    if (performance.now() - checkedAt < recheckMs) return;
    for await (const page of readOpen(options.db)) {
      if (isStopping) return;
      await ensureJobs(options, page, { hasten: false });
      // Its job may be due later than it: a worker stopped between the two.
      const late = page.filter(({ delayMs }) => delayMs < -recheckMs);
      await ensureJobs(options, late, { hasten: true });
    }
    checkedAt = performance.now();
  }

  async function round(): Promise<void> {
    try {
      await step();
      isLogged = false;
    } catch (error) {
      // A notification may stand in Postgres without its job.
      checkedAt = -Infinity;
      if (!isLogged) log.warn({ err: error }, 'notifications wait for Postgres or for the job queue');
      isLogged = true;
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

interface DueJob {
  id: string;
  delayMs: number;
}

/** `at`: when it is due, as Postgres writes it. */
type DueAt = DueJob & { at: string };

/** Changes each time that somebody sends it again. */
const timeOf = ({ id, at }: DueAt): string => `${id} ${at}`;

async function ensureJobs(
  { queue }: PumpOptions,
  due: readonly DueJob[],
  how: { hasten: boolean },
): Promise<void> {
  if (due.length === 0) return;
  await queue.ensure(
    'notify',
    due.map(({ id, delayMs }) => ({ id, payload: { id }, delayMs })),
    how,
  );
}

/** One transaction; of all workers one does it at a time. */
async function collect(options: PumpOptions): Promise<Collected> {
  return await options.db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('notifications')) as mine`.execute(trx);
    return rows[0]?.mine ? await collectNotices(trx, options) : { moved: 0, due: [] };
  });
}

const pageSize = 1_000;

/** Those that somebody sent again: a relay has no queue, and notes it by `tried_since`. */
async function readSentAgain(db: Database): Promise<DueAt[]> {
  const { rows } = await sql<DueAt>`
    select id, 0 as delay_ms, next_try_at::text as at from notifications
    where status = 'waiting' and tried_since is null and next_try_at <= now()
      and (held_until is null or held_until <= now())
    order by next_try_at limit ${pageSize}`.execute(db);
  return rows;
}

/** All that are not delivered and not given up, in pages, with the time in which each is due. */
async function* readOpen(db: Database): AsyncGenerator<DueJob[]> {
  let [after, afterId] = ['-infinity', ''];
  let page: DueAt[];
  do {
    ({ rows: page } = await sql<DueAt>`
      select id, next_try_at::text as at,
        1000 * extract(epoch from greatest(next_try_at, held_until) - now())::float8 as delay_ms
      from notifications
      where status in ('collecting', 'waiting') and (next_try_at, id) > (${after}::timestamptz, ${afterId})
      order by next_try_at, id limit ${pageSize}`.execute(db));
    yield page;
    ({ at: after, id: afterId } = page.at(-1) ?? { at: '', id: '' });
  } while (page.length === pageSize);
}
