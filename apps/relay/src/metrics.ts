import type { ClusterHealth } from '@tabletop-relay/cluster';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import type { PostgresHealth } from './instances/postgres-health.ts';

export type RelayMetrics = ReturnType<typeof createRelayMetrics>;

/** Counters of this instance. Labels are closed sets: operations, codes, never ids or addresses. */
export function createRelayMetrics(registry: Registry) {
  return {
    ...countRequests([registry]),
    ...countModules([registry]),
    ...countEvents([registry]),
    recordsDropped: new Counter({
      name: 'relay_records_dropped_total',
      help: 'Records of the logs that were not written, by reason.',
      labelNames: ['reason'] as const,
      registers: [registry],
    }),
  };
}

const callBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/** Metrics of calls. */
function countRequests(registers: Registry[]) {
  return {
    calls: new Counter({
      name: 'relay_calls_total',
      help: 'Relayed calls by operation and outcome (ok or error code).',
      labelNames: ['operation', 'outcome'] as const,
      registers,
    }),
    remoteRequests: new Counter({
      name: 'relay_remote_requests_total',
      help: 'Requests of modules to other worlds, by outcome (ok, source_lost or error code).',
      labelNames: ['outcome'] as const,
      registers,
    }),
    callSeconds: new Histogram({
      name: 'relay_call_seconds',
      help: 'Seconds from the accepted call to its answer, the world’s own time included.',
      labelNames: ['operation'] as const,
      buckets: callBuckets,
      registers,
    }),
    worldSeconds: new Histogram({
      name: 'relay_world_seconds',
      help: 'Seconds from the command that a world was sent to its answer, counted by the instance that holds its socket.',
      labelNames: ['operation'] as const,
      buckets: callBuckets,
      registers,
    }),
    requestsRefused: new Counter({
      name: 'relay_requests_refused_total',
      help: 'HTTP requests that were answered with a problem, by its code and the kind of route (operation, account, service, none).',
      labelNames: ['code', 'route'] as const,
      registers,
    }),
    spans: new Counter({
      name: 'relay_spans_total',
      help: 'Spans of traced calls, by outcome: sent, failed (the collector did not take them) or dropped (too many waited). None without OTEL_EXPORTER_OTLP_ENDPOINT.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    connectionsRefused: new Counter({
      name: 'relay_connections_refused_total',
      help: 'Connections that were closed at once because too many were open: of one address, or in total.',
      labelNames: ['reason'] as const,
      registers,
    }),
  };
}

/** Metrics of modules’ frames and sockets. */
function countModules(registers: Registry[]) {
  return {
    connectedClients: new Gauge({
      name: 'relay_connected_clients',
      help: 'Worlds whose socket this instance holds.',
      registers,
    }),
    standbyClients: new Gauge({
      name: 'relay_standby_clients',
      help: 'Browsers that wait on this instance to serve a world that another browser serves.',
      registers,
    }),
    promotions: new Counter({
      name: 'relay_promotions_total',
      help: 'Browsers that waited and now serve, by how (succeeded: the other one went, called_up: a person said so).',
      labelNames: ['how'] as const,
      registers,
    }),
    connections: new Counter({
      name: 'relay_connections_total',
      help: 'Attempts of modules to connect, by outcome.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    repliesDropped: new Counter({
      name: 'relay_replies_dropped_total',
      help: 'Replies that nobody waited for: late, or with an unknown id.',
      registers,
    }),
    largeFramesDropped: new Counter({
      name: 'relay_large_frames_dropped_total',
      help: 'Frames above 256 KiB that were dropped unparsed: no call waited for them.',
      registers,
    }),
    replyBytesHeld: new Gauge({
      name: 'relay_reply_bytes_held',
      help: 'Bytes of large answers of this instance’s worlds that their callers have not read yet.',
      registers,
    }),
    worldsShed: new Counter({
      name: 'relay_worlds_shed_total',
      help: 'Worlds that were told to go to an instance with fewer, by outcome (handed_over, stayed, closed).',
      labelNames: ['outcome'] as const,
      registers,
    }),
    modulesHeld: new Counter({
      name: 'relay_modules_held_total',
      help: 'Times that a module was not read for a while, because it sent faster than its rates.',
      registers,
    }),
    framesRefused: new Counter({
      name: 'relay_frames_refused_total',
      help: 'Frames of modules that could not be used, by code.',
      labelNames: ['code'] as const,
      registers,
    }),
  };
}

/** Metrics of events and their listeners. */
function countEvents(registers: Registry[]) {
  return {
    openStreams: new Gauge({
      name: 'relay_open_streams',
      help: 'Event streams that callers hold open on this instance, by channel.',
      labelNames: ['channel'] as const,
      registers,
    }),
    callerSockets: new Gauge({
      name: 'relay_caller_sockets',
      help: 'Sockets of callers that are open on this instance.',
      registers,
    }),
    eventsTaken: new Counter({
      name: 'relay_events_total',
      help: 'Events of modules that somebody listens to, by channel, counted at the owner.',
      labelNames: ['channel'] as const,
      registers,
    }),
    eventsSent: new Counter({
      name: 'relay_events_sent_total',
      help: 'Events that were written to listeners.',
      registers,
    }),
    eventsDropped: new Counter({
      name: 'relay_events_dropped_total',
      help: 'Events that listeners were told of as a gap, by reason: slow_listener, paused, too_large, or module, which left them out.',
      labelNames: ['reason'] as const,
      registers,
    }),
  };
}

/** Whether this instance takes calls and reaches its stores: asked at each scrape. */
export function createStateMetrics(
  registry: Registry,
  state: {
    isReady(): boolean;
    redisState(): ClusterHealth['state'];
    postgresHealth(): Promise<PostgresHealth>;
    /** Connections of the pool. */
    pool(): { busy: number; idle: number; waiting: number };
    /** Workers and browser hosts that run. */
    processes(): Promise<Record<string, number>>;
    /** Other instances and workers that lack the secret with which this one seals. */
    lackingSecret(): number;
  },
): void {
  const registers = [registry];
  void new Gauge({
    name: 'relay_ready',
    help: 'Whether this instance takes calls: 1, or 0 while it drains, cannot hear the others or has come to another Redis.',
    registers,
    collect() {
      this.set(Number(state.isReady()));
    },
  });
  void new Gauge({
    name: 'relay_redis_up',
    help: 'Whether this instance reaches Redis, all shards of it; 1 where it needs none.',
    registers,
    collect() {
      this.set(Number(state.redisState() === 'up'));
    },
  });
  void new Gauge({
    name: 'relay_redis_foreign',
    help: 'Whether this instance has come to another Redis than that of the other instances on its database: 1, and then it serves nothing.',
    registers,
    collect() {
      this.set(Number(state.redisState() === 'foreign'));
    },
  });
  void new Gauge({
    name: 'relay_secret_lacking',
    help: 'Other relays, and workers, that run and lack the RELAY_SECRET with which this one seals: 0 as it should be. Of a relay with another secret it is highest; where a worker has another it is 1 on all.',
    registers,
    collect() {
      this.set(state.lackingSecret());
    },
  });
  void new Gauge({
    name: 'relay_postgres_up',
    help: 'Whether Postgres takes what this instance writes: 1, or 0 while it is away, read-only, full or too slow.',
    registers,
    async collect() {
      this.set(Number((await state.postgresHealth()) === 'up'));
    },
  });
  void new Gauge({
    name: 'relay_postgres_pool',
    help: 'Connections to Postgres of this instance that are busy or idle, and queries that are waiting for one.',
    labelNames: ['state'] as const,
    registers,
    collect() {
      for (const [name, count] of Object.entries(state.pool())) this.set({ state: name }, count);
    },
  });
  void new Gauge({
    name: 'relay_processes',
    help: 'Workers and browser hosts, by kind, that have reported to Postgres within 30 s; left out while Postgres takes no writes.',
    labelNames: ['kind'] as const,
    registers,
    async collect() {
      const counts: Record<string, number> =
        (await state.postgresHealth()) === 'up' ? await state.processes().catch(() => ({})) : {};
      this.reset();
      for (const [kind, count] of Object.entries(counts)) this.set({ kind }, count);
    },
  });
}
