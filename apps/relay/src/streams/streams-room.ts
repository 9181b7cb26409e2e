import type { Cluster } from '@tabletop-relay/cluster';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { CredentialFeed } from '../credentials/changes/credential-feed.ts';
import type { ServedEndpoint } from '../endpoint-handler.ts';
import type { KeysByHash } from '../keys/authenticate.ts';
import type { UnknownSecretLimit } from '../limits/unknown-secret-limit.ts';
import type { RelayMetrics } from '../metrics.ts';
import { createOpenListeners } from './open-listeners.ts';
import { createOpenListener } from './open-listener.ts';
import { createReadRecent } from './recent-events.ts';
import type { ReadRecent } from './recent-events.ts';
import type { StreamLimits } from './stream-limits.ts';
import { registerStreamRoutes } from './stream-routes.ts';
import type { StreamRoutesDeps } from './stream-routes.ts';
import { createStreamTickets } from './stream-tickets.ts';
import { createSubscribe } from './subscribe.ts';
import type { Subscribe } from './subscribe.ts';
import { serveEvents } from './ticket-handlers.ts';
import { createWatchOpening, watchKeys } from './watch-keys.ts';

export interface StreamsRoomDeps extends Omit<
  StreamRoutesDeps,
  'tickets' | 'open' | 'watchOpening' | 'cluster' | 'openListener' | 'settings'
> {
  cluster: Cluster;
  keys: KeysByHash;
  unknownSecrets: UnknownSecretLimit;
  feed: CredentialFeed;
  metrics: RelayMetrics;
  settings: StreamLimits & { streamQueueBytes: number };
  log: Logger;
}

/** The event streams of one instance. */
export interface StreamsRoom {
  endpoints: ServedEndpoint[];
  /** Adds the routes of the streams. A ticket may stand in place of their key, so they look for themselves. */
  register(app: FastifyInstance): void;
  /** Reads what a stream had lately, for who keeps none open. */
  readRecent: ReadRecent;
  /** Follows a channel for a caller's socket. */
  subscribe: Subscribe;
  /** Keeps streams alive and watches over their keys. Returns what ends both. */
  start(): () => void;
  /** Ends all streams. Their callers come back spread over this time. */
  endAll(spreadMs: number): void;
}

const soonestReturnMs = 1_000;

export function createStreamsRoom(deps: StreamsRoomDeps): StreamsRoom {
  const tickets = createStreamTickets(deps);
  const open = createOpenListeners(tickets);
  const watchOpening = createWatchOpening(deps);
  const openListener = createOpenListener({ ...deps, open });
  const leaving = new AbortController();
  return {
    endpoints: serveEvents({ ...deps, tickets }),
    readRecent: createReadRecent({ ...deps, watchOpening, leaving: leaving.signal }),
    subscribe: createSubscribe({ ...deps, openListener, watchOpening }),
    register: (app) => registerStreamRoutes(app, { ...deps, tickets, openListener, watchOpening }),
    start() {
      const stops = [open.start(), watchKeys({ ...deps, open })];
      return () => {
        for (const stop of stops) stop();
      };
    },
    endAll(spreadMs) {
      leaving.abort();
      for (const { listener } of open.all()) listener.end(soonestReturnMs + Math.random() * spreadMs);
    },
  };
}
