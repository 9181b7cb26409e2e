import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** What stands in a queue of jobs. */
export interface QueueDepth {
  waiting: number;
  active: number;
  /** Due later, or after a failed try. */
  delayed: number;
  /** Given up, and kept. */
  failed: number;
  /** How long the job that has been due for longest waits for a worker; 0 where none does. */
  oldestMs: number;
}

/** A scrape has ten seconds by default, and a store that is away must not take them. */
const patienceMs = 2_000;

type Queues = Map<string, () => Promise<QueueDepth>>;

const queuesOf = new WeakMap<Registry, Queues>();

/**
 * Serves the depth of queues, read from their store at each scrape. Every process of a queue tells the same. While the store does
 * not answer, `job_queue_up` is 0 and the numbers are left out, since old ones would look well. May be called again for a
 * registry: in the embedded default worker and browser host share one.
 */
export function createQueueMetrics(
  registry: Registry,
  more: Readonly<Record<string, () => Promise<QueueDepth>>>,
): void {
  const known = queuesOf.get(registry);
  const queues: Queues = known ?? new Map();
  for (const [queue, read] of Object.entries(more)) queues.set(queue, read);
  if (known) return;
  queuesOf.set(registry, queues);
  let reading: ReturnType<typeof readAll> | undefined;
  // The metrics of one scrape are collected at once, and share what was read.
  const read = () => (reading ??= readAll(queues).finally(() => (reading = undefined)));
  const add = <Label extends string>(
    words: { name: string; help: string; labelNames: Label[] },
    fill: (gauge: Gauge<Label>, queue: string, depth: QueueDepth | undefined) => void,
  ) =>
    void new Gauge({
      ...words,
      registers: [registry],
      async collect() {
        const depths = await read();
        this.reset();
        for (const [queue, depth] of depths) fill(this, queue, depth);
      },
    });

  add(
    {
      name: 'job_queue_jobs',
      help: 'Jobs of a queue by state: waiting for a worker, active, delayed (due later, or after a failed try), failed for good and kept for a week.',
      labelNames: ['queue', 'state'],
    },
    (gauge, queue, depth) => {
      for (const state of states) if (depth) gauge.set({ queue, state }, depth[state]);
    },
  );
  add(
    {
      name: 'job_queue_oldest_seconds',
      help: 'How long the job of a queue that has been due for longest waits for a worker; 0 where none waits.',
      labelNames: ['queue'],
    },
    (gauge, queue, depth) => {
      if (depth) gauge.set({ queue }, depth.oldestMs / 1_000);
    },
  );
  add(
    {
      name: 'job_queue_up',
      help: 'Whether this process reaches the store of a queue.',
      labelNames: ['queue'],
    },
    (gauge, queue, depth) => gauge.set({ queue }, Number(depth !== undefined)),
  );
}

const states = ['waiting', 'active', 'delayed', 'failed'] as const;

function readAll(queues: Queues): Promise<[string, QueueDepth | undefined][]> {
  return Promise.all(
    Array.from(queues, async ([queue, read]) => {
      const { promise: late, resolve } = Promise.withResolvers<undefined>();
      const timer = setTimeout(() => resolve(undefined), patienceMs);
      const depth = await Promise.race([read().catch(() => undefined), late]);
      clearTimeout(timer);
      return [queue, depth];
    }),
  );
}
