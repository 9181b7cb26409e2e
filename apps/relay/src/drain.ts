import type { Cluster } from '@tabletop-relay/cluster';
import type { Quotas } from '@tabletop-relay/limits';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { longestCallMs } from './calls/call-settings.ts';
import { shortKeepAliveMs } from './http/connections/connection-limit.ts';
import type { callSettings } from './calls/call-settings.ts';
import type { CallersRoom } from './caller-sockets/callers-room.ts';
import type { CallLog } from './call-log/call-log.ts';
import type { InstanceReports } from './instances/instance-reports.ts';
import type { Records } from './records/records.ts';
import type { KeyUse } from './keys/key-use.ts';
import type { RemoteRequests } from './calls/remote/remote-requests.ts';
import type { CredentialFeed } from './credentials/changes/credential-feed.ts';
import type { ConnectedClients } from './sockets/connected-clients.ts';
import type { Leaving } from './sockets/leaving/leave.ts';
import { letGo, longestServedMs, timeWithin } from './sockets/leaving/let-go.ts';
import type { StreamsRoom } from './streams/streams-room.ts';
import type { StandbySockets } from './sockets/standby/standby-sockets.ts';
import type { ConnectionLog } from './sockets/admission/connection-log.ts';
import type { LastSeen } from './worlds/last-seen.ts';
import { milliseconds } from '@tabletop-relay/process';
import type { SettingsOf } from '@tabletop-relay/process';

export const drainSettings = {
  drainWaitMs: milliseconds(
    10_000,
    'At SIGTERM: time for balancers to notice that this instance is not ready.',
  ),
  drainSpreadMs: milliseconds(
    30_000,
    'At SIGTERM: modules are told to come over to another instance spread over this time.',
  ),
  drainGraceMs: milliseconds(
    5_000,
    'At SIGTERM: how long after its time a module may come over before its socket is closed. 0: sockets close at once, for where no other instance runs.',
  ),
};

type CallTimes = Pick<SettingsOf<typeof callSettings>, 'callTimeoutMs'>;

/** What comes after the last call, and what takes longer than it should. */
const spareMs = 15_000;

/** A process that takes longer to stop is ended. */
export function longestStopMs(config: SettingsOf<typeof drainSettings> & CallTimes): number {
  const { drainWaitMs, drainSpreadMs, drainGraceMs } = config;
  return drainWaitMs + drainSpreadMs + drainGraceMs + longestCallMs(config) + spareMs;
}

export interface Drain {
  /** Nothing accepted is lost: see docs/operations for the times. */
  run(): Promise<void>;
}

export interface DrainDeps {
  /** Aborted at the begin: other parts look at its signal. */
  draining: AbortController;
  app: FastifyInstance;
  clients: ConnectedClients;
  streams: Pick<StreamsRoom, 'endAll'>;
  callers: Pick<CallersRoom, 'letGo'>;
  cluster: Cluster;
  feed: CredentialFeed;
  leaving: Pick<Leaving, 'waiting'>;
  standbys: Pick<StandbySockets, 'sockets' | 'remove'>;
  connectionLog: Pick<ConnectionLog, 'flush' | 'left'>;
  remoteRequests: Pick<RemoteRequests, 'flush'>;
  records: Records;
  callLog: Pick<CallLog, 'stop'>;
  lastSeen: LastSeen;
  keyUse: Pick<KeyUse, 'flush'>;
  quotas: Quotas;
  reports: Pick<InstanceReports, 'stop'>;
  config: SettingsOf<typeof drainSettings> & CallTimes;
  log: Logger;
}

const closingHandshakeMs = 2_000;
/** After the time-out of a call: for its answer to reach the caller. */
const answerWayMs = 1_000;

/**
 * Readiness goes off and balancers get their time. Modules are told when to come over to another instance, spread out,
 * and served until they have. Then HTTP, records and the cluster end.
 */
export function createDrain(deps: DrainDeps): Drain {
  const { app, clients, cluster, feed, connectionLog, records, keyUse, quotas, lastSeen, config, log } = deps;
  const http = createHttpEnd(app, longestCallMs(config) + answerWayMs);
  let running: Promise<void> | undefined;

  /** Until each end is logged. A peer that does not answer the closing handshake is not waited for. */
  async function allGone(): Promise<void> {
    const deadline = performance.now() + closingHandshakeMs;
    while (clients.size > 0 || deps.leaving.waiting > 0) {
      if (performance.now() > deadline) for (const socket of clients.all()) socket.terminate();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** Browsers that wait go on waiting elsewhere, each at its own time. */
  async function letStandbysGo(): Promise<void> {
    const { sockets, remove } = deps.standbys;
    const going = Array.from(sockets.all(), async (socket) => {
      await new Promise((resolve) => setTimeout(resolve, timeWithin(config.drainSpreadMs)));
      remove(socket);
      socket.close('goingAway');
    });
    await Promise.all(going);
  }

  async function step(name: string, work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: unknown) =>
      log.error({ err: error, step: name }, 'a step of the drain failed'),
    );
  }

  async function drain(): Promise<void> {
    deps.draining.abort();
    log.info({ clients: clients.size }, 'draining');
    app.server.keepAliveTimeout = Math.min(shortKeepAliveMs, app.server.keepAliveTimeout);
    await new Promise((resolve) => setTimeout(resolve, config.drainWaitMs));
    // Balancers send nothing more by now, and answers say `connection: close`.
    app.server.closeIdleConnections();
    const callersGone = deps.callers.letGo(config.drainSpreadMs, longestCallMs(config) + answerWayMs);
    deps.streams.endAll(config.drainSpreadMs);
    const leaving = [...clients.all()];
    const lastRequests = setTimeout(http.stopListening, longestServedMs(config));
    const letAllGo = [callersGone, letStandbysGo(), ...leaving.map((socket) => letGo(socket, deps))];
    await step('clients', () => Promise.all(letAllGo));
    const cameOver = leaving.filter(({ isSucceeded }) => isSucceeded).length;
    log.info({ clients: leaving.length, cameOver }, 'modules let go');
    await step('sockets', allGone);
    clearTimeout(lastRequests);
    await step('http', http.close);
    await step('last seen', () => lastSeen.flush());
    await step('key usage', () => keyUse.flush());
    await step('limits', () => quotas.stop());
    await step('call log', () => deps.callLog.stop());
    connectionLog.flush();
    deps.remoteRequests.flush();
    await step('records', () => records.stop());
    await step('credentials', () => feed.stop());
    await step('instance report', () => deps.reports.stop());
    await step('cluster', () => cluster.stop());
    log.info('drained');
  }

  return { run: () => (running ??= drain()) };
}

/**
 * Ends HTTP. No socket of this instance waits for the calls to worlds of other instances, and they come as long as HTTP
 * listens. So the time of a call is counted from the end of listening. That comes when no socket here takes new calls, at
 * the latest: the last calls of sockets and of HTTP take their time together, so that both fit in `longestStopMs`.
 */
function createHttpEnd(app: FastifyInstance, endWithinMs: number) {
  let deadline: number | undefined;

  function stopListening(): number {
    if (deadline !== undefined) return deadline;
    app.server.close();
    return (deadline = performance.now() + endWithinMs);
  }

  return {
    stopListening,
    /** Lets what runs finish, and closes the connections that callers only keep open. */
    async close(): Promise<void> {
      const until = stopListening();
      const timer = setInterval(() => {
        if (app.answersOwed() === 0 || performance.now() > until) app.server.closeAllConnections();
      }, 50);
      await app.close().finally(() => clearInterval(timer));
    },
  };
}
