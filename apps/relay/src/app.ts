import type { Cluster } from '@tabletop-relay/cluster';
import { operations as allOperations } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import { countProcesses, readPool } from '@tabletop-relay/database';
import type { Database, RelaySecrets } from '@tabletop-relay/database';
import { createMemoryShortLived, createRedisShortLived } from '@tabletop-relay/headless';
import { createQuotas } from '@tabletop-relay/limits';
import type { Ledger } from '@tabletop-relay/limits';
import type { FastifyInstance, RouteOptions } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { accountParts } from './account-parts.ts';
import { createAccountsRoom } from './accounts/accounts-room.ts';
import type { SendMail } from '@tabletop-relay/notifications';
import { findSession } from './accounts/sessions/find-session.ts';
import { createOneByOne } from './accounts/one-by-one.ts';
import { createCallLog } from './call-log/call-log.ts';
import { serveCallLog } from './call-log/handlers.ts';
import { createCallersRoom } from './caller-sockets/callers-room.ts';
import { adaptOperations } from './calls/call-settings.ts';
import { createListReached, serveClients } from './calls/client-handlers.ts';
import { clusterMember } from './calls/cluster-member.ts';
import { createLogCalls } from './calls/log-calls.ts';
import { createRequestBytes } from './calls/request-bytes.ts';
import { createIdempotency } from './calls/idempotency.ts';
import { createChooseClient, createExplainAbsence } from './calls/choose-client.ts';
import { createMakeCall } from './calls/make-call.ts';
import { createRouter } from './calls/router.ts';
import { createTellCaller } from './calls/command.ts';
import { createRemoteRequests } from './calls/remote/remote-requests.ts';
import { relayConstants } from './config.ts';
import type { RelayConfig, RoomSettings } from './config.ts';
import { createCredentialFeed } from './credentials/changes/credential-feed.ts';
import { createDrain } from './drain.ts';
import type { ServedEndpoint } from './endpoint-handler.ts';
import { createHeadlessRoom } from './headless/headless-room.ts';
import type { HeadlessStores } from './headless/headless-room.ts';
import { createAnswerPerson } from './http/documents/not-found-page.ts';
import { createErrorHandler } from './http/error-handler.ts';
import { createTellFailure } from './http/refusals.ts';
import './http/fastify-types.ts';
import { serveTrouble } from './doctor/trouble-handlers.ts';
import { serveInstances } from './instances/instance-handlers.ts';
import { serveService } from './http/probes.ts';
import { createPublicUrl } from './http/public-url.ts';
import { prepareServer, registerPages, registerRoutes } from './http/routes.ts';
import { createServer } from './http/server.ts';
import { serveKeys } from './keys/handlers.ts';
import { unbindClient } from './keys/keys-of-account.ts';
import { createKeysRoom } from './keys/keys-room.ts';
import { createUnknownSecretLimit } from './limits/unknown-secret-limit.ts';
import { readLimits } from './limits/limits.ts';
import { createRelayMetrics, createStateMetrics } from './metrics.ts';
import { createPostgresHealth } from './instances/postgres-health.ts';
import { serveNotifications } from './notifications/handlers.ts';
import { serveRecords } from './records/logs.ts';
import { createRecords } from './records/records.ts';
import { createArrivals } from './sockets/arrivals.ts';
import { createConnectedClients } from './sockets/connected-clients.ts';
import { createSocketsRoom } from './sockets/sockets-room.ts';
import { createStreamsRoom } from './streams/streams-room.ts';
import { startTracing } from './tracing/start-tracing.ts';
import { createConnectionTokens } from './worlds/authenticate-token.ts';
import { serveWorlds } from './worlds/handlers.ts';
import { createFindDeclared } from './worlds/declared.ts';
import { createNoteDownload } from './worlds/module-install.ts';
import { createListKnownClients } from './worlds/known-clients.ts';
import { createCallUp, createFindStandbys } from './worlds/standbys.ts';
import { createLastSeen } from './worlds/last-seen.ts';
import { createPresenceFeed } from './worlds/presence.ts';
import { whoIsOnline } from './worlds/who-is-online.ts';

export interface RelayOptions {
  /** Constants of `relayConstants` beside the settings take their place: tests shorten times so. */
  config: RelayConfig & Partial<RoomSettings>;
  db: Database;
  /** As `Stores.vitalDb`. */
  vitalDb: Database;
  /** Not started yet: the relay starts it and stops it. */
  cluster: Cluster;
  /** The store in which limits are counted. */
  ledger: Ledger;
  log: Logger;
  registry: Registry;
  version: string;
  /** RELAY_SECRET: keys the HMACs of short codes, and seals. */
  secrets: RelaySecrets;
  sendMail: SendMail;
  /** Where headless sessions are queued, and their handshakes kept. */
  headlessStores: HeadlessStores;
  operations?: readonly Operation[];
  /** Told when an operator asks this instance to drain. */
  onDrainAsked?: () => void;
  /** Endpoints beyond the published ones. */
  endpoints?: readonly ServedEndpoint[];
  /** Whether links sign in: for an instance that one person started on a machine for themselves. */
  signInLinks?: boolean;
  /** Folder of the dashboard's build; the workspace's own unless named. */
  dashboardRoot?: string;
  /** Told of each route as it is added, so that what must hold for all of them can be tried on all of them. */
  onRoute?: (route: RouteOptions) => void;
}

/** One instance. Tests make two in a process. */
export interface Relay {
  app: FastifyInstance;
  /** Listens and is ready; resolves with the address. */
  listen(): Promise<string>;
  /** Lets modules and callers go as promised, then closes everything that it opened. */
  drain(): Promise<void>;
  /** For orchestrators: whether balancers should send calls here. */
  isReady(): boolean;
  /** Opens an account, even where registration is closed; resolves with a session's token. */
  register(credentials: { email: string; password: string }): Promise<string>;
  /** The secret of a link that signs in once, within ten minutes; undefined where no links sign in. */
  createSignInLink(email: string): Promise<string | undefined>;
}

/** Puts an instance together. Nothing listens yet. */
// oxlint-disable-next-line max-lines-per-function -- It is the list of the parts of an instance, from top to bottom.
export async function createRelay(options: RelayOptions): Promise<Relay> {
  const { db, cluster, log, secrets, version, onRoute, onDrainAsked } = options;
  const config: RoomSettings = { ...relayConstants, ...options.config };
  const limits = readLimits(config);
  const metrics = createRelayMetrics(options.registry);
  const { broadcast, instanceId } = cluster;
  /** Aborted when this instance begins to leave. */
  const draining = new AbortController();
  const tracing = await startTracing({ settings: config, instanceId, version, metrics, log });
  const records = createRecords({
    db, instanceId, log,
    onDropped: (reason) => metrics.recordsDropped.labels(reason).inc(),
  }); // prettier-ignore
  const callLog = createCallLog({ db, broadcast, instanceId, log, records, settings: config });
  const feed = createCredentialFeed({ db, pollDb: options.vitalDb, broadcast, log, settings: config });
  const quotas = createQuotas({ ledger: options.ledger, log });
  const unknownSecrets = createUnknownSecretLimit(limits.unknownKeys, quotas);
  const { authenticate, authenticateAssistant, keysByHash, refusalOfKey, callLimits, mayReadRolls, keyUse } = createKeysRoom({
    db, boot: cluster.boot, feed, unknownSecrets, quotas, log, settings: config,
  }); // prettier-ignore
  const presence = createPresenceFeed(broadcast);
  const lastSeen = createLastSeen(db, instanceId, log);
  const listKnownClients = createListKnownClients(db, cluster);
  const operations = adaptOperations(options.operations ?? allOperations, config);
  const tokens = createConnectionTokens({ db, feed, unknownSecrets });
  const clients = createConnectedClients();
  const arrivals = createArrivals(config.callsInFlightPerClient);
  const explainAbsence = createExplainAbsence(db);
  const router = createRouter({
    cluster, clients, arrivals, operations, explainAbsence, tracing, tellCaller: createTellCaller(secrets),
  }); // prettier-ignore
  const findDeclared = createFindDeclared({ directory: cluster.directory, clients });
  const idempotency = createIdempotency({ reservations: cluster.reservations, secrets, feed, findDeclared });
  const remoteRequests = createRemoteRequests({
    operations, tokens, quotas, limits, records, metrics, log, tracing,
    router, idempotency, settings: config,
  }); // prettier-ignore
  const sockets = createSocketsRoom({
    clients, arrivals, cluster, feed, tokens, records, listKnownClients, remoteRequests, lastSeen, presence, limits, metrics, log,
    db, secrets, version, onDrainAsked, mayReadRolls, refusalOfKey, settings: config,
    draining: draining.signal,
  }); // prettier-ignore
  const { leaving, standbys, connectionLog, reports } = sockets;
  const chooseClient = createChooseClient({ db, directory: cluster.directory });
  const listReached = createListReached({ listKnownClients, limits: callLimits });
  const streams = createStreamsRoom({
    cluster, chooseClient, findDeclared, explainAbsence, authenticate, keys: keysByHash, unknownSecrets, feed, log, metrics,
    limits: callLimits, settings: config, draining: draining.signal,
  }); // prettier-ignore
  const { redis: shortLivedRedis } = options.headlessStores;
  const shortLived = shortLivedRedis ? createRedisShortLived(shortLivedRedis) : createMemoryShortLived();
  const shared = {
    db, feed, records, log, secrets, limits, shortLived,
    bounds: config,
    sessionTimes: config,
    oneByOne: createOneByOne(),
    whoIsOnline: whoIsOnline(cluster.directory),
    now: Date.now,
  }; // prettier-ignore
  const accounts = createAccountsRoom({
    ...shared, ...accountParts, settings: config, mailUrl: config.publicUrl, sendMail: options.sendMail,
    onDeleted: idempotency.erase, signInLinks: options.signInLinks,
  }); // prettier-ignore
  const headless = createHeadlessRoom({
    ...shared,
    settings: config,
    stores: options.headlessStores,
    monthly: callLimits.monthly,
  });
  const findStandbys = createFindStandbys(cluster.standbys);
  const callUp = createCallUp({ findStandbys, broadcast, directory: cluster.directory });
  const endpoints = [
    ...accounts.endpoints,
    ...serveRecords(shared),
    ...serveCallLog({ ...shared, callLog }),
    ...serveWorlds({
      ...shared, presence, callNews: callLog.news, unbindClient, streams: cluster.streams, findStandbys, callUp,
    }), // prettier-ignore
    ...serveKeys({
      ...shared, quotas, settings: config, runsSession: headless.runsSession,
    }), // prettier-ignore
    ...serveNotifications({ ...shared, settings: config, sendMail: options.sendMail }),
    ...serveClients({ db, cluster, listReached }),
    ...streams.endpoints,
    ...headless.endpoints,
    ...serveInstances(db),
    ...serveTrouble({ ...shared, jobs: options.headlessStores.jobs, instanceId, config: options.config }),
    ...serveService({ cluster, version, settings: config }),
    ...(options.endpoints ?? []),
  ];
  const publicUrlOf = createPublicUrl(config.publicUrl);
  const logCalls = createLogCalls({ callLog, keyUse });
  const answerPerson = createAnswerPerson(options.dashboardRoot);
  const handleError = createErrorHandler({
    publicUrlOf, metrics, logCalls, nameOf: reports.nameOf, answerPerson,
  }); // prettier-ignore
  const app = createServer({ config, log, metrics, handleError });
  const makeCall = createMakeCall({
    chooseClient, router, keys: keysByHash, limits: callLimits, metrics, records, logCalls, idempotency,
  }); // prettier-ignore
  const tellFailure = createTellFailure({ metrics, nameOf: reports.nameOf });
  const requestBytes = createRequestBytes({
    ofKey: config.requestBytesPerKey, ofInstance: config.requestBytes,
  }); // prettier-ignore
  const callers = createCallersRoom({
    cluster, operations, authenticate, feed, chooseClient, makeCall, logCalls, tracing, metrics, log, version, publicUrlOf, requestBytes,
    keys: keysByHash,
    limits: callLimits,
    subscribe: streams.subscribe,
    tellFailure,
    settings: config,
    draining: draining.signal,
  }); // prettier-ignore
  const drain = createDrain({
    draining, app, clients, leaving, standbys, streams, callers, cluster, feed, connectionLog, remoteRequests, records, callLog, keyUse, quotas,
    lastSeen, reports, config, log,
  }); // prettier-ignore
  // A store that is away is no reason to leave the balancer: local worlds go on. A deaf instance, or one on another Redis, must leave.
  const isReady = () => !draining.signal.aborted && !['deaf', 'foreign'].includes(cluster.health().state);
  const postgresHealth = createPostgresHealth({ db, writers: [records, callLog, reports] });
  createStateMetrics(options.registry, {
    isReady, postgresHealth, redisState: () => cluster.health().state,
    pool: () => readPool(db), processes: () => countProcesses(db), lackingSecret: reports.lackingSecret,
  }); // prettier-ignore
  await prepareServer(app, {
    config, version, onRoute, handleError, quotas, draining: draining.signal,
  }); // prettier-ignore
  await sockets.register(app);
  callers.register(app);
  await registerPages(app, {
    ...options, publicUrlOf, limits, isReady, postgresHealth, noteDownload: createNoteDownload(shared),
  }); // prettier-ignore
  await registerRoutes(app, {
    endpoints,
    authenticate,
    tracing,
    operations: {
      operations,
      makeCall,
      directory: cluster.directory,
      explainAbsence,
      metrics,
      countRequestBytes: requestBytes.count,
      callerReadMs: config.callerReadTimeoutMs,
    },
    limits: callLimits,
    streams,
    mcp: {
      operations, makeCall, logCalls, listReached, tracing, publicUrlOf, secrets, version, log,
      authenticate: authenticateAssistant,
      authenticateKey: authenticate,
      limits: callLimits,
      keys: keysByHash,
      readRecent: streams.readRecent,
      tellFailure,
    }, // prettier-ignore
    endpointDeps: {
      publicUrlOf,
      findSession: (token: string) => findSession(shared, token),
      limits,
      maxBodyBytes: Math.min(config.maxAccountBodyBytes, config.maxBodyBytes),
    },
  });

  let stops: (() => void)[] = [];
  return {
    app,
    isReady,
    register: accounts.register,
    createSignInLink: accounts.createSignInLink,
    async listen() {
      await cluster.start(clusterMember({ clients, standbys, arrivals, router, connectionLog }));
      await quotas.start();
      await feed.start();
      await callLog.start();
      stops = [sockets.start(), streams.start(), callers.start()];
      headless.start();
      await reports.start();
      // All worlds of a lost instance may connect at once. A connection that the kernel drops is tried ever later.
      return await app.listen({ host: config.host, port: config.port, backlog: 4_096 });
    },
    async drain() {
      await headless.stop();
      await drain.run();
      shortLived.close();
      for (const stop of stops) stop();
      await tracing?.stop();
    },
  };
}
