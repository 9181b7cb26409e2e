/** One picture of the dashboard: its queries by the name that the legend shows. */
interface Panel {
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

/** The rows of the dashboard, top to bottom: what callers get, worlds, the processes, what was refused, the worker. */
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
      title: 'Ready, and Redis reached',
      unit: 'short',
      queries: {
        'ready {{instance}}': 'min by (instance) (relay_ready)',
        'Redis {{instance}}': 'min by (instance) (relay_redis_up)',
      },
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

const source = { type: 'prometheus', uid: '${source}' };

/** `deploy/observability/dashboard.json`, for Grafana 10 and later. */
export function dashboardJson(): string {
  let nextId = 1;
  let y = 0;
  const panels = Object.entries(rows).flatMap(([title, row]) => {
    const height = row.some(({ isNumber }) => isNumber) ? 4 : 8;
    const width = Math.floor(24 / row.length);
    const head = {
      id: nextId++,
      type: 'row',
      title,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y, w: 24, h: 1 },
    };
    const drawn = row.map((panel, index) => ({
      id: nextId++,
      ...drawPanel(panel),
      gridPos: { x: index * width, y: y + 1, w: width, h: height },
    }));
    y += height + 1;
    return [head, ...drawn];
  });
  const dashboard = {
    title: 'Tabletop Relay',
    uid: 'tabletop-relay',
    schemaVersion: 39,
    tags: ['tabletop-relay'],
    timezone: 'browser',
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    graphTooltip: 1,
    templating: { list: [{ name: 'source', label: 'Prometheus', type: 'datasource', query: 'prometheus' }] },
    panels,
  };
  return `${JSON.stringify(dashboard, undefined, 2)}\n`;
}

function drawPanel({ title, description, unit, queries, isNumber, stacked }: Panel): object {
  const targets = Object.entries(queries).map(([legendFormat, expr], index) => ({
    refId: String.fromCodePoint(65 + index),
    datasource: source,
    expr,
    legendFormat,
  }));
  return {
    type: isNumber ? 'stat' : 'timeseries',
    title,
    ...(description && { description }),
    datasource: source,
    targets,
    fieldConfig: {
      defaults: {
        unit,
        ...(!isNumber && {
          min: 0,
          custom: { fillOpacity: stacked ? 30 : 0, stacking: { mode: stacked ? 'normal' : 'none' } },
        }),
      },
      overrides: [],
    },
    options: isNumber
      ? { reduceOptions: { calcs: ['lastNotNull'] } }
      : { legend: { displayMode: 'list' }, tooltip: { mode: 'multi' } },
  };
}
