/** One picture of the dashboard: its queries by the name that the legend shows. */
export interface Panel {
  title: string;
  description?: string;
  unit: string;
  queries: Record<string, string>;
  /** A number instead of lines. */
  isNumber?: true;
  stacked?: true;
}

const rate = (metric: string, by: string) => `sum by (${by}) (rate(${metric}[$__rate_interval]))`;
const quantile = (q: number, histogram: string) =>
  `histogram_quantile(${q}, sum by (le) (rate(${histogram}_bucket[$__rate_interval])))`;

/** The rows of the dashboard, top to bottom: what callers get, worlds, the processes, what was refused, the queues, the worker. */
export const rows: Record<string, Panel[]> = {
  'At a glance': [
    { title: 'Worlds', unit: 'short', isNumber: true, queries: { worlds: 'sum(relay_connected_clients)' } },
    {
      title: 'Calls a second',
      unit: 'reqps',
      isNumber: true,
      queries: { calls: 'sum(rate(relay_calls_total[$__rate_interval]))' },
    },
    {
      title: 'Failed in the relay, an hour',
      description: 'The objective is 0.1 % over 30 days.',
      unit: 'percentunit',
      isNumber: true,
      queries: {
        failed:
          'sum(rate(relay_calls_total{outcome=~"internal|unavailable|overloaded"}[1h])) / sum(rate(relay_calls_total[1h]))',
      },
    },
    { title: 'Instances ready', unit: 'short', isNumber: true, queries: { ready: 'sum(relay_ready)' } },
  ],
  Calls: [
    {
      title: 'By outcome',
      unit: 'reqps',
      stacked: true,
      queries: { '{{outcome}}': rate('relay_calls_total', 'outcome') },
    },
    {
      title: 'By operation',
      unit: 'reqps',
      queries: { '{{operation}}': `topk(10, ${rate('relay_calls_total', 'operation')})` },
    },
    {
      title: 'Time to the answer',
      description: 'The world’s own time included.',
      unit: 's',
      queries: {
        median: quantile(0.5, 'relay_call_seconds'),
        p95: quantile(0.95, 'relay_call_seconds'),
        p99: quantile(0.99, 'relay_call_seconds'),
      },
    },
    {
      title: 'Of it the world, and the relay',
      unit: 's',
      queries: {
        world:
          'sum(rate(relay_world_seconds_sum[$__rate_interval])) / sum(rate(relay_world_seconds_count[$__rate_interval]))',
        relay:
          '(sum(rate(relay_call_seconds_sum[$__rate_interval])) - sum(rate(relay_world_seconds_sum[$__rate_interval]))) / sum(rate(relay_call_seconds_count[$__rate_interval]))',
      },
    },
  ],
  Worlds: [
    {
      title: 'Connected, by instance',
      unit: 'short',
      stacked: true,
      queries: { '{{instance}}': 'sum by (instance) (relay_connected_clients)' },
    },
    {
      title: 'Attempts to connect',
      unit: 'ops',
      queries: { '{{outcome}}': rate('relay_connections_total', 'outcome') },
    },
    {
      title: 'Frames that were of no use',
      unit: 'ops',
      queries: {
        'refused {{code}}': rate('relay_frames_refused_total', 'code'),
        'large and unasked': 'sum(rate(relay_large_frames_dropped_total[$__rate_interval]))',
        'late replies': 'sum(rate(relay_replies_dropped_total[$__rate_interval]))',
        'modules held': 'sum(rate(relay_modules_held_total[$__rate_interval]))',
      },
    },
  ],
  'Between instances': [
    {
      title: 'Messages over Redis',
      unit: 'ops',
      queries: { '{{direction}} {{kind}}': rate('relay_bus_messages_total', 'direction, kind') },
    },
    {
      title: 'Bytes over Redis',
      unit: 'Bps',
      queries: { '{{direction}} {{kind}}': rate('relay_bus_bytes_total', 'direction, kind') },
    },
    {
      title: 'A call to another instance, mean',
      description: 'From the question over the bus to the whole answer, the world’s own time included.',
      unit: 's',
      queries: {
        mean: 'sum(rate(relay_bus_call_seconds_total[$__rate_interval])) / sum(rate(relay_bus_calls_answered_total[$__rate_interval]))',
      },
    },
    {
      title: 'Answers that nobody heard',
      unit: 'ops',
      queries: {
        'not subscribed': 'sum(rate(relay_bus_answers_unheard_total[$__rate_interval]))',
        late: 'sum(rate(relay_bus_answers_late_total[$__rate_interval]))',
      },
    },
    {
      title: 'Calls that wait, bytes held',
      unit: 'short',
      queries: {
        'waiting {{instance}}': 'sum by (instance) (relay_bus_calls_waiting)',
        'bytes {{instance}}': 'sum by (instance) (relay_bus_held_bytes)',
      },
    },
  ],
  Refusals: [
    {
      title: 'Problems answered',
      unit: 'reqps',
      queries: { '{{code}} ({{route}})': rate('relay_requests_refused_total', 'code, route') },
    },
    {
      title: 'Connections closed at once',
      unit: 'ops',
      queries: { '{{reason}}': rate('relay_connections_refused_total', 'reason') },
    },
    {
      title: 'Records and log lines lost',
      unit: 'ops',
      queries: {
        'records: {{reason}}': rate('relay_records_dropped_total', 'reason'),
        'log lines of {{instance}}': rate('process_log_lines_dropped_total', 'instance'),
      },
    },
  ],
  Processes: [
    {
      title: 'Processor',
      unit: 'percentunit',
      queries: { '{{instance}}': rate('process_cpu_seconds_total', 'instance') },
    },
    {
      title: 'Memory',
      unit: 'bytes',
      queries: { '{{instance}}': 'max by (instance) (process_resident_memory_bytes)' },
    },
    {
      title: 'The event loop stands still, p99',
      unit: 's',
      queries: { '{{instance}}': 'max by (instance) (nodejs_eventloop_lag_p99_seconds)' },
    },
    {
      title: 'Ready, Redis reached, Postgres takes writes',
      unit: 'short',
      queries: {
        'ready {{instance}}': 'min by (instance) (relay_ready)',
        'Redis {{instance}}': 'min by (instance) (relay_redis_up)',
        'Postgres {{instance}}': 'min by (instance) (relay_postgres_up)',
      },
    },
  ],
  Queues: [
    {
      title: 'Jobs that wait, run or come later',
      description: 'All processes of a queue tell the same numbers.',
      unit: 'short',
      queries: {
        '{{queue}} {{state}}': 'max by (queue, state) (job_queue_jobs{state!="failed"})',
      },
    },
    {
      title: 'Dead letters',
      description: 'Jobs that failed for good: `pnpm admin dead-letters`.',
      unit: 'short',
      queries: { '{{queue}}': 'max by (queue) (job_queue_jobs{state="failed"})' },
    },
    {
      title: 'The oldest job waits for',
      unit: 's',
      queries: { '{{queue}}': 'max by (queue) (job_queue_oldest_seconds)' },
    },
    {
      title: 'Store of the queue reached',
      unit: 'short',
      queries: { '{{queue}} {{instance}}': 'min by (queue, instance) (job_queue_up)' },
    },
  ],
  Worker: [
    {
      title: 'Jobs by outcome',
      unit: 'ops',
      queries: { '{{job}} {{outcome}}': rate('worker_jobs_total', 'job, outcome') },
    },
    {
      title: 'Seconds of a job, p95',
      unit: 's',
      queries: {
        '{{job}}': 'histogram_quantile(0.95, sum by (le, job) (rate(worker_job_seconds_bucket[1h])))',
      },
    },
  ],
};
