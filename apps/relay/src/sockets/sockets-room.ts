import type { Cluster } from '@tabletop-relay/cluster';
import type { Database, RelaySecrets } from '@tabletop-relay/database';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { CredentialFeed } from '../credentials/changes/credential-feed.ts';
import type { InstanceReports } from '../instances/instance-reports.ts';
import type { RefusalOfKey } from '../keys/key-refusal.ts';
import type { MayReadRolls } from '../keys/may-read-rolls.ts';
import type { AccountLimits } from '../limits/limits.ts';
import type { RelayMetrics } from '../metrics.ts';
import type { Records } from '../records/records.ts';
import type { ConnectionTokens } from '../worlds/authenticate-token.ts';
import type { ListKnownClients } from '../worlds/known-clients.ts';
import type { LastSeen } from '../worlds/last-seen.ts';
import type { PresenceFeed } from '../worlds/presence.ts';
import { createAdmission } from './admission/admission.ts';
import { createConnectionLog } from './admission/connection-log.ts';
import type { ConnectionLog } from './admission/connection-log.ts';
import { createLimitConnects } from './admission/connect-limit.ts';
import type { Arrivals } from './arrivals.ts';
import { roundsPerPing } from './client-socket.ts';
import type { ClientSocket } from './client-socket.ts';
import type { ConnectedClients } from './connected-clients.ts';
import { createStandbySockets } from './standby/standby-sockets.ts';
import type { StandbySockets } from './standby/standby-sockets.ts';
import { createFrameRefusals } from './frames/frame-refusals.ts';
import { createFrameLog } from './frames/frame-log.ts';
import { createFrameHandler } from './frames/module-frames.ts';
import type { ServeRemoteRequests } from './remote/serve-remote-requests.ts';
import { tellListeners } from './listeners/tell-listeners.ts';
import type { Leaving } from './leaving/leave.ts';
import { createLeaving } from './leaving/leave.ts';
import { startHeartbeat } from './heartbeat.ts';
import { registerModuleSocket } from './module-socket.ts';
import { createOutbox } from './outbox.ts';
import { refuseWaitingKeys } from './pauses/refuse-waiting-keys.ts';
import { watchRevocations } from './revocation.ts';
import { createFramePlaces } from './frames/inflow.ts';
import { createReplyBytes } from './replies/settle-reply.ts';
import { createOwnReports } from './own-reports.ts';
import type { OwnReportsDeps } from './own-reports.ts';
import {
  readFramePlaceOptions,
  readFrameSizes,
  readGateOptions,
  readReplyByteLimits,
  readRetryOptions,
  readSocketLimits,
} from './socket-settings.ts';
import type { SocketSettings } from './socket-settings.ts';

export interface SocketsRoomDeps {
  cluster: Cluster;
  feed: CredentialFeed;
  tokens: ConnectionTokens;
  mayReadRolls: MayReadRolls;
  refusalOfKey: RefusalOfKey;
  records: Records;
  /** The sockets that serve a client, and those that are being let in. */
  clients: ConnectedClients;
  arrivals: Arrivals;
  listKnownClients: ListKnownClients;
  remoteRequests: ServeRemoteRequests;
  lastSeen: LastSeen;
  presence: PresenceFeed;
  limits: AccountLimits;
  metrics: RelayMetrics;
  log: Logger;
  db: Database;
  secrets: RelaySecrets;
  version: string;
  onDrainAsked: (() => void) | undefined;
  settings: SocketSettings & OwnReportsDeps['settings'];
  /** While the instance drains, no module is let in. */
  draining: AbortSignal;
}

/** The module sockets of one instance. */
export interface SocketsRoom {
  leaving: Leaving;
  standbys: StandbySockets;
  connectionLog: ConnectionLog;
  /** Tells the other instances what is here, and evens the worlds out. */
  reports: InstanceReports;
  /** Adds the WebSocket route of the modules. */
  register(app: FastifyInstance): Promise<void>;
  /** Starts the heartbeat and the watch over revoked credentials; returns a function that stops both. */
  start(): () => void;
}

/** Puts the parts of the module sockets together. Nothing runs before `start`. */
export function createSocketsRoom(deps: SocketsRoomDeps): SocketsRoom {
  const { cluster, clients, arrivals, tokens, records, limits, metrics, log, settings, draining } = deps;
  const connectionLog = createConnectionLog({
    boot: cluster.boot, records, limits, maxCountedPairs: settings.countedAttempts, metrics, log,
  }); // prettier-ignore
  const logFrame = createFrameLog(log, settings.frameLogLines);
  const sockets = {
    outbox: createOutbox(),
    replyBytes: createReplyBytes(readReplyByteLimits(settings), metrics.replyBytesHeld),
    limits: readSocketLimits(settings),
    mayAct: (clientId: string) => cluster.directory.authority(clientId) !== 'frozen',
    metrics,
    onThrottle: reportThrottling(logFrame, metrics),
  };
  const framePlaces = createFramePlaces(readFramePlaceOptions(settings));
  const admission = createAdmission({
    cluster, tokens, connectionLog, draining, sockets, arrivals,
    gate: readGateOptions(settings),
    retries: readRetryOptions(settings), log,
  }); // prettier-ignore
  const handleFrame = createFrameHandler({
    ...deps,
    logFrame,
    knownClients: deps.listKnownClients,
    streams: cluster.streams,
    limits: { ...limits, ...readFrameSizes(settings) },
  });
  const standbys = createStandbySockets({
    cluster, admission, connectionLog, metrics, log, draining, settings,
    refusals: createFrameRefusals({ metrics, logFrame }),
  }); // prettier-ignore
  const limitConnects = createLimitConnects({ limits, connectionLog });
  const socketDeps = { ...deps, connectionLog, framePlaces };
  const leaving = createLeaving(socketDeps);
  return {
    leaving,
    standbys,
    connectionLog,
    reports: createOwnReports({ ...deps, connectionLog }),
    register: (app) =>
      registerModuleSocket(app, { ...socketDeps, admission, leaving, standbys, handleFrame, limitConnects }),
    start() {
      const { feed } = deps;
      const everyone = together(clients, standbys.sockets);
      const stopWatch = watchRevocations({ feed, tokens, clients: everyone, log });
      const stopRefusing = refuseWaitingKeys({ feed, clients, refusalOfKey: deps.refusalOfKey });
      const { streams } = cluster;
      const stopTelling = tellListeners({ streams, clients, feed, mayReadRolls: deps.mayReadRolls, log });
      const stopHeartbeat = startHeartbeat(everyone, settings.heartbeatMs, {
        onUnanswered: (socket) => void giveUpForStandby(socket, cluster),
        onSilent: (socket) => socket.giveUp(),
      });
      const stopHearing = standbys.start();
      return () => {
        stopWatch();
        stopRefusing();
        stopTelling();
        stopHeartbeat();
        stopHearing();
      };
    },
  };
}

/** The sockets that serve, and those that wait. */
function together(
  ...parts: readonly ConnectedClients[]
): Pick<ConnectedClients, 'all' | 'byAccount' | 'byConn'> {
  return {
    *all() {
      for (const part of parts) yield* part.all();
    },
    *byAccount(accountId) {
      for (const part of parts) yield* part.byAccount(accountId);
    },
    byConn: (conn) => parts.map((part) => part.byConn(conn)).find((socket) => socket !== undefined),
  };
}

/** A world need not wait for the end of a silence where another browser waits to serve it. */
async function giveUpForStandby(
  socket: ClientSocket,
  { standbys }: Pick<Cluster, 'standbys'>,
): Promise<void> {
  const { clientId } = socket.identity;
  const found = await standbys.find([clientId]).catch(() => new Map<string, unknown>());
  if (found.has(clientId) && socket.quietRounds > roundsPerPing) socket.giveUp();
}

type ReportThrottling = Parameters<typeof createAdmission>[0]['sockets']['onThrottle'];

/** Counts the modules that are read more slowly, and logs when that begins and ends. */
function reportThrottling(
  logFrame: ReturnType<typeof createFrameLog>,
  { modulesHeld }: Pick<RelayMetrics, 'modulesHeld'>,
): ReportThrottling {
  return (socket, stage) => {
    modulesHeld.inc();
    if (stage !== 'goes on') logFrame(socket, { stage }, 'module sends too fast: it is read more slowly');
  };
}
