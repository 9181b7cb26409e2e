import { createTestDatabase, startRedis } from '@tabletop-relay/testing';
import { Type } from 'typebox';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openBackend } from './backend.ts';
import type { JobsConnection } from './backend.ts';
import { readFailedJobs } from './failed-jobs.ts';
import { createJobQueue } from './job-queue.ts';
import type { JobQueue } from './job-queue.ts';
import { migrateJobs } from './migrate.ts';
import { startJobWorker } from './job-worker.ts';
import type { JobHandlers, JobWorker } from './job-worker.ts';

const numbered = Type.Object({ number: Type.Integer() });
const catalogue = {
  count: { summary: '', payload: numbered, attempts: 3, backoffMs: 10, timeoutMs: 5_000 },
  slow: { summary: '', payload: numbered, attempts: 1, backoffMs: 10, timeoutMs: 100 },
  deliver: {
    summary: '',
    payload: numbered,
    attempts: 100,
    backoffMs: 20,
    timeoutMs: 5_000,
    untilDone: true,
  },
  ticking: {
    summary: '',
    payload: Type.Object({}),
    attempts: 1,
    backoffMs: 10,
    timeoutMs: 5_000,
    schedule: '* * * * * *',
  },
} as const;

const log = { info: () => {}, warn: () => {}, error: () => {} };
const nothing = () => Promise.resolve();

const stores: [name: string, open: () => Promise<{ connection: JobsConnection; close(): Promise<void> }>][] =
  [
    [
      'Redis',
      async () => {
        const redis = await startRedis();
        return { connection: { redisUrl: redis.url }, close: () => redis.stop() };
      },
    ],
    [
      'Postgres',
      async () => {
        const database = await createTestDatabase();
        const migrate = () => migrateJobs({ url: database.ownerUrl, grantTo: database.role });
        await Promise.all([migrate(), migrate()]);
        return { connection: { databaseUrl: database.url }, close: database.drop };
      },
    ],
  ];

describe.each(stores)('jobs on %s', (_name, open) => {
  let store: Awaited<ReturnType<typeof open>>;
  let queue: JobQueue<typeof catalogue>;
  beforeAll(async () => {
    store = await open();
    queue = createJobQueue({ connection: store.connection, log, catalogue });
  });
  afterAll(async () => {
    await queue.close();
    await store.close();
  });

  const running: JobWorker[] = [];
  // A worker that a failed test left behind would take the next test's jobs.
  afterEach(() => Promise.all(running.splice(0).map((worker) => worker.close())));
  const startToEnd = async (starting: Promise<JobWorker>) => {
    const worker = await starting;
    running.push(worker);
    return worker;
  };
  const start = (
    handlers: Partial<JobHandlers<typeof catalogue>>,
    onEnd?: (name: string, outcome: string) => void,
  ) =>
    startToEnd(
      startJobWorker({
        connection: store.connection,
        catalogue,
        log,
        handlers: { count: nothing, slow: nothing, deliver: nothing, ticking: nothing, ...handlers },
        ...(onEnd ? { onEnd } : {}),
      }),
    );

  it('work off each job once, over two workers', async () => {
    const done: number[] = [];
    const count = ({ number }: { number: number }) => Promise.resolve(void done.push(number));
    const workers = await Promise.all([start({ count }), start({ count })]);
    await Promise.all(Array.from({ length: 100 }, (_, number) => queue.add('count', { number })));
    await vi.waitFor(() => expect(done).toHaveLength(100), 10_000);
    await Promise.all(workers.map((worker) => worker.close()));
    expect(done.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, number) => number));
  });

  it('try again what failed, as often as the catalogue says', async () => {
    const attempts: number[] = [];
    const ends: string[] = [];
    const worker = await start(
      {
        count: (_payload, { attempt }) => {
          attempts.push(attempt);
          return Promise.reject(new Error('not today'));
        },
      },
      (_job, outcome) => ends.push(outcome),
    );
    await queue.add('count', { number: 1 });
    await vi.waitFor(() => expect(ends).toEqual(['retried', 'retried', 'failed']), 10_000);
    expect(attempts).toEqual([1, 2, 3]);
    await worker.close();
  });

  it('end a try that takes too long', async () => {
    const ends: string[] = [];
    let aborted = false;
    const worker = await start(
      {
        slow: (_payload, { signal }) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              aborted = true;
              setTimeout(resolve, 1_000).unref();
            });
          }),
      },
      (_job, outcome) => ends.push(outcome),
    );
    await queue.add('slow', { number: 1 });
    await vi.waitFor(() => expect(ends).toEqual(['failed']), 10_000);
    expect(aborted).toBe(true);
    await worker.close();
  });

  it('add a job of the same id once', async () => {
    await queue.add('count', { number: 7 }, { id: 'seven' });
    await queue.add('count', { number: 7 }, { id: 'seven' });
    const done: number[] = [];
    const worker = await start({ count: ({ number }) => Promise.resolve(void done.push(number)) });
    await queue.add('count', { number: 8 });
    await vi.waitFor(() => expect(done).toContain(8), 10_000);
    await worker.close();
    expect(done).toEqual([7, 8]);
  });

  it('go on until their handler says that they are over, and count what it calls an attempt', async () => {
    const runs: number[] = [];
    const ends: string[] = [];
    const deliver = (_payload: unknown, { attempt }: { attempt: number }) => {
      runs.push(attempt);
      if (runs.length === 2) return Promise.reject(new Error('Postgres is away'));
      return Promise.resolve(runs.length < 5 ? { inMs: 10, wasAttempt: runs.length !== 3 } : undefined);
    };
    const worker = await start({ deliver }, (_job, outcome) => ends.push(outcome));
    const once = [{ id: 'once', payload: { number: 1 }, delayMs: 0 }];
    await queue.ensure('deliver', once);
    await vi.waitFor(() => expect(ends).toEqual(['retried', 'retried', 'done']), 10_000);
    expect(runs).toEqual([1, 2, 2, 2, 3]);
    // Nothing is kept of it.
    await queue.ensure('deliver', once);
    await vi.waitFor(() => expect(runs).toHaveLength(6), 10_000);
    await worker.close();
  });

  it('are as late as they were, or as soon as they should be', async () => {
    const runs: number[] = [];
    const deliver = ({ number }: { number: number }) => Promise.resolve(void runs.push(number));
    const worker = await start({ deliver });
    const wanted = (id: string, number: number, delayMs: number) => ({ id, payload: { number }, delayMs });
    await queue.ensure('deliver', [wanted('late', 1, 600_000), wanted('later', 2, 600_000)]);
    await queue.ensure('deliver', [wanted('late', 3, 0), wanted('new', 4, 0)]);
    await vi.waitFor(() => expect(runs).toEqual([4]), 10_000);
    await queue.ensure('deliver', [wanted('later', 5, 0), wanted('newer', 6, 0)], { hasten: true });
    await vi.waitFor(() => expect(runs.toSorted((a, b) => a - b)).toEqual([2, 4, 6]), 10_000);
    expect(await queue.depth()).toMatchObject({ delayed: 1 });
    await queue.ensure('deliver', [wanted('late', 7, 0)], { hasten: true });
    await vi.waitFor(() => expect(runs).toContain(1), 10_000);
    await worker.close();
  });

  describe('of a version that a worker does not know', () => {
    const older = { count: { ...catalogue.count, payload: Type.Object({ letter: Type.String() }) } };
    const startOlder = (putBack: { everyMs: number; times: number }, onEnd: (...end: string[]) => void) =>
      startToEnd(
        startJobWorker({
          connection: store.connection,
          catalogue: older,
          log,
          handlers: { count: nothing },
          putBack,
          onEnd: (name, outcome) => onEnd(name, outcome),
        }),
      );
    const readWaiting = async () => {
      const backend = openBackend(store.connection).createQueue({});
      const [job] = await backend.getDelayed();
      await backend.close();
      return job && { name: job.name, started: job.attemptsStarted, tries: job.attemptsMade };
    };

    it('go to one that does, with all their tries', async () => {
      const ends: string[] = [];
      const before = await startOlder({ everyMs: 500, times: 1_000 }, (...end) => ends.push(...end));
      await queue.add('count', { number: 1 });
      await queue.add('slow', { number: 2 });
      await vi.waitFor(async () => expect(await readWaiting()).toMatchObject({ tries: 0 }), 10_000);
      const done: string[] = [];
      const worker = await start({
        count: ({ number }, { attempt }) =>
          Promise.resolve(void done.push(`count ${number}, try ${attempt}`)),
        slow: ({ number }) => Promise.resolve(void done.push(`slow ${number}`)),
      });
      // While both run, the older one may be first each time. A roll-out ends it.
      await before.close();
      await vi.waitFor(() => expect(done.toSorted()).toEqual(['count 1, try 1', 'slow 2']), 10_000);
      expect(ends).toEqual([]);
      await worker.close();
    });

    it('are given up once no other worker came for them', async () => {
      const ends: string[] = [];
      const before = await startOlder({ everyMs: 1, times: 3 }, (...end) => ends.push(...end));
      await queue.add('slow', { number: 1 });
      await vi.waitFor(() => expect(ends).toEqual(['slow', 'failed']), 10_000);
      const failed = await readFailedJobs(store.connection, 10);
      expect(failed).toContainEqual(
        expect.objectContaining({ name: 'slow', reason: 'no worker of this release knows slow' }),
      );
      await before.close();
    });
  });

  it('refuse a payload that is not the job’s', async () => {
    await expect(queue.add('count', { number: 'one' } as unknown as { number: number })).rejects.toThrow(
      'not a payload',
    );
  });

  it('finish what runs before a worker closes, and leave the rest to the next', async () => {
    const started = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const done: string[] = [];
    const first = await start({
      count: async ({ number }) => {
        started.resolve();
        await gate.promise;
        done.push(`first ${number}`);
      },
    });
    await queue.add('count', { number: 1 });
    await started.promise;
    let isClosed = false;
    const closed = first.close().then(() => (isClosed = true));
    await Promise.all(Array.from({ length: 20 }, (_, index) => queue.add('count', { number: index + 2 })));
    expect(isClosed).toBe(false);
    gate.resolve();
    await closed;
    expect(done).toContain('first 1');
    // The closing worker may have fetched one more job; all others wait for the next worker.
    expect(done.length).toBeLessThanOrEqual(2);
    const second = await start({
      count: ({ number }) => Promise.resolve(void done.push(`second ${number}`)),
    });
    await vi.waitFor(() => expect(done).toHaveLength(21), 10_000);
    await second.close();
    expect(new Set(done.map((line) => line.split(' ')[1])).size).toBe(21);
  });

  it('run by their schedule, once however many workers ask for it', async () => {
    const runs: number[] = [];
    const ticking = () => Promise.resolve(void runs.push(Math.floor(Date.now() / 1_000)));
    await Promise.all([queue.schedule(), queue.schedule()]);
    const workers = await Promise.all([start({ ticking }), start({ ticking })]);
    await vi.waitFor(() => expect(runs.length).toBeGreaterThanOrEqual(3), 10_000);
    await Promise.all(workers.map((worker) => worker.close()));
    expect(new Set(runs).size).toBe(runs.length);
  });
});
