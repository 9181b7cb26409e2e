import type { RelaySecrets } from '@tabletop-relay/database';
import { accountSessionEndpoints, headlessEndpoints } from '@tabletop-relay/contract';
import { createSessionNotices, sessionJobs, sessionQueue } from '@tabletop-relay/headless';
import type { ShortLived } from '@tabletop-relay/headless';
import { createJobQueue } from '@tabletop-relay/jobs';
import type { JobQueue, JobsConnection } from '@tabletop-relay/jobs';
import { createAddressGuard } from '@tabletop-relay/outbound';
import type { Logger } from 'pino';
import { serve } from '../endpoint-handler.ts';
import type { ServedEndpoint } from '../endpoint-handler.ts';
import { accountSessionHandlers } from './account-session-handlers.ts';
import { createHandshakes } from './handshakes/handshakes.ts';
import { createKeyPairs } from './handshakes/key-pairs.ts';
import { createLapseWatch } from './lapse-watch.ts';
import { runsSession } from './sessions-of-account.ts';
import { headlessHandlers } from './session-handlers.ts';
import type { HeadlessDeps } from './session-handlers.ts';

/** Where the room's own state is kept. */
export interface HeadlessStores {
  /** The queue that browser hosts take from. */
  jobs: JobsConnection;
  /** Postgres, where the changes of sessions are heard. */
  postgres: Location;
  /** Redis for what is kept for a short time; not given: this process alone. */
  redis?: Location;
}

interface Location {
  url: string;
  reread?: (url: string) => string;
}

export interface HeadlessRoom {
  endpoints: ServedEndpoint[];
  runsSession: typeof runsSession;
  start(): void;
  /** Ends the starts that this instance follows. */
  stop(): Promise<void>;
}

export function createHeadlessRoom(
  deps: Omit<HeadlessDeps, 'guard' | 'handshakes' | 'notices' | 'queue' | 'stop'> & {
    secrets: RelaySecrets;
    stores: HeadlessStores;
    shortLived: ShortLived;
    settings: { outboundAllow: readonly string[] };
  },
): HeadlessRoom {
  const keyPairs = createKeyPairs(deps.settings.handshakeKeysAhead);
  const queue = createLazyQueue(deps.stores.jobs, deps.log);
  const lapses = createLapseWatch(deps);
  const notices = createSessionNotices({ ...deps.stores.postgres, log: deps.log });
  const leaving = new AbortController();
  const room: HeadlessDeps = {
    ...deps,
    guard: createAddressGuard({ allow: deps.settings.outboundAllow }),
    handshakes: createHandshakes({ kept: deps.shortLived, keyPairs, secrets: deps.secrets }),
    notices,
    queue,
    stop: leaving.signal,
  };
  return {
    runsSession,
    endpoints: [
      ...serve(headlessEndpoints, headlessHandlers(room)),
      ...serve(accountSessionEndpoints, accountSessionHandlers(room)),
    ],
    start() {
      keyPairs.start();
      lapses.start();
    },
    async stop() {
      leaving.abort();
      lapses.stop();
      keyPairs.stop();
      await Promise.all([queue.close(), notices.close()]);
    },
  };
}

type SessionQueue = JobQueue<typeof sessionJobs>;

/** Most instances start no session for a long time, so that the queue is opened for the first. */
function createLazyQueue(connection: JobsConnection, log: Logger): Pick<SessionQueue, 'add' | 'close'> {
  let opened: SessionQueue | undefined;
  return {
    add(name, payload, options) {
      opened ??= createJobQueue({ connection, log, catalogue: sessionJobs, queueName: sessionQueue });
      return opened.add(name, payload, options);
    },
    close: async () => await opened?.close(),
  };
}
