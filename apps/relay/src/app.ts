import rateLimit from '@fastify/rate-limit';
import { createQuotas } from '@tabletop-relay/limits';
import type { Cluster } from '@tabletop-relay/cluster';
import type { Ledger } from '@tabletop-relay/limits';
import { defaultTimeoutMs, operations as allOperations } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import type { Database } from '@tabletop-relay/database';
import type { FastifyInstance, RouteOptions } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { serveAccounts } from './accounts/handlers.ts';
import type { AccountsDeps } from './accounts/handlers.ts';
import { findSession } from './accounts/sessions.ts';
import type { SendMail } from './accounts/mail.ts';
import { createPresenceFeed } from './worlds/presence.ts';
import { createRecords } from './records/records.ts';
import { registerEndpoints } from './http/endpoints/endpoint-routes.ts';
import { register } from './accounts/sign-in/sign-in.ts';
import { createSignInFailures } from './accounts/sign-in/sign-in-failures.ts';
import { createSignInGuard } from './accounts/sign-in/sign-in-guard.ts';
import { createStrangerLines } from './accounts/sign-in/stranger-lines.ts';
import { readLimits } from './limits/limits.ts';
import { createTurns } from './accounts/turns.ts';
import { createAddressBudget } from './limits/address-budget.ts';
import { createAuthenticate } from './keys/authenticate.ts';
import { createConnectionTokens } from './worlds/authenticate-token.ts';
import { createCredentialFeed } from './credentials/credential-feed.ts';
import { serveKeys } from './keys/handlers.ts';
import { createKeyUse } from './keys/key-use.ts';
import { createPasswords } from './credentials/password.ts';
import { createAdmission } from './sockets/admission/admission.ts';
import { createChooseClient, createExplainAbsence } from './calls/choose-client.ts';
import { serveClients } from './calls/client-handlers.ts';
import { clusterMember } from './calls/cluster-member.ts';
import { createConnectedClients } from './sockets/connected-clients.ts';
import { createConnectionLog } from './sockets/admission/connection-log.ts';
import { createDeadlines } from './sockets/deadlines.ts';
import { startHeartbeat } from './sockets/heartbeat.ts';
import { createLimitKnocks } from './sockets/admission/knocks.ts';
import { createListKnownClients } from './worlds/known-clients.ts';
import { createLastSeen } from './worlds/last-seen.ts';
import { createFrameLog } from './sockets/frames/frame-log.ts';
import { createFrameHandler } from './sockets/frames/module-frames.ts';
import { createOutbox } from './sockets/outbox.ts';
import { registerModuleSocket } from './sockets/module-socket.ts';
import { watchRevocations } from './sockets/revocation.ts';
import { serveWorlds } from './worlds/handlers.ts';
import { whoIsOnline } from './worlds/who-is-online.ts';
import { serveRecords } from './records/logs.ts';
import type { ServedEndpoint } from './endpoint-handler.ts';
import type { RelayConfig } from './config.ts';
import { createDrain } from './drain.ts';
import { readGuardSettings, readStrangerSettings } from './accounts/sign-in/sign-in-settings.ts';
import { readPasswordSettings } from './credentials/password-settings.ts';
import { readBacklogLimits } from './records/record-settings.ts';
import { readGateOptions, readSocketLimits } from './sockets/socket-settings.ts';
import { answerAnyOrigin } from './http/any-origin.ts';
import { requireApiKey } from './http/authenticate-hook.ts';
import './http/fastify-types.ts';
import { registerDashboard } from './http/documents/dashboard.ts';
import { registerErrorPages } from './http/documents/error-pages.ts';
import { answerUnmatched } from './http/method-not-allowed.ts';
import { registerDocs, registerOpenApi } from './http/documents/open-api.ts';
import { registerOperationRoutes } from './calls/operation-routes.ts';
import { registerProbes, serveService } from './http/probes.ts';
import { createErrorHandler } from './http/error-handler.ts';
import { createPublicUrl, refuseForeignHost } from './http/public-url.ts';
import { createServer } from './http/server.ts';
import { createCallLimits } from './keys/call-limits.ts';
import { createMonthlyLimit } from './keys/monthly.ts';
import { limitCallsPerKey, refuseByRate } from './limits/per-key.ts';
import { createRateStore, keyOfAddress } from './limits/rate-store.ts';
import { createRelayMetrics } from './metrics.ts';
import { createRouter } from './calls/router.ts';

export interface RelayOptions {
  config: RelayConfig;
  db: Database;
  /** Not started yet: the relay starts it and stops it. */
  cluster: Cluster;
  /** The store in which limits are counted. */
  ledger: Ledger;
  log: Logger;
  registry: Registry;
  version: string;
  /** Keys the HMACs of short codes. */
  secret: string;
  sendMail: SendMail;
  operations?: readonly Operation[];
  /** Endpoints beyond the published ones. */
  endpoints?: readonly ServedEndpoint[];
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
}

/** Puts an instance together. Nothing listens yet. */
export async function createRelay(options: RelayOptions): Promise<Relay> {
  const { config, db, cluster, log, version } = options;
  const operations = (options.operations ?? allOperations).map((operation) => ({
    ...operation,
    timeoutMs: (operation.timeoutMs * config.callTimeoutMs) / defaultTimeoutMs,
  }));
  const accountLimits = readLimits(config);
  const metrics = createRelayMetrics(options.registry);
  const publicUrlOf = createPublicUrl(config.publicUrl);
  const deadlines = createDeadlines();
  const clients = createConnectedClients();
  const records = createRecords({
    db,
    instanceId: cluster.instanceId,
    log,
    onDropped: (reason) => metrics.recordsDropped.labels(reason).inc(),
    ...readBacklogLimits(config),
  });
  const feed = createCredentialFeed({ db, broadcast: cluster.broadcast, log });
  const quotas = createQuotas({ ledger: options.ledger, log });
  const budget = createAddressBudget(accountLimits.unknownKeys, quotas);
  const keyUse = createKeyUse({
    db,
    boot: cluster.boot,
    log,
    onWritten: (written) => monthly.settle(written),
  });
  const monthly = createMonthlyLimit({ db, quotas, countCall: keyUse.count, now: Date.now });
  const authenticate = createAuthenticate({ db, feed, budget, onUse: keyUse.touch });
  const tokens = createConnectionTokens({ db, feed, budget });
  const presence = createPresenceFeed(cluster.broadcast);
  const lastSeen = createLastSeen(db, cluster.instanceId, log);
  const listKnownClients = createListKnownClients(db, cluster);
  const limits = createCallLimits({
    callsInFlightPerKey: config.callsInFlightPerKey,
    monthly,
  });
  const router = createRouter({ cluster, clients, operations, explainAbsence: createExplainAbsence(db) });
  const connectionLog = createConnectionLog({
    records,
    limits: accountLimits,
    maxCountedPairs: config.countedAttempts,
    metrics,
    log,
  });
  const logFrame = createFrameLog(log, config.frameLogLines);
  const admission = createAdmission({
    cluster, tokens, connectionLog,
    gate: readGateOptions(config),
    isDraining: () => drain.hasBegun(),
    sockets: {
      deadlines,
      outbox: createOutbox(),
      limits: readSocketLimits(config),
      onHold: (socket, stage) => {
        metrics.modulesHeld.inc();
        if (stage !== 'goes on') logFrame(socket, { stage }, 'module sends too fast: it is read more slowly');
      },
    },
  }); // prettier-ignore
  const handleFrame = createFrameHandler({
    log,
    logFrame,
    metrics,
    knownClients: listKnownClients,
    records,
    limits: { ...accountLimits, largeFrameBytes: config.largeFrameBytes },
  });

  const background: (() => void)[] = [];
  const handleError = createErrorHandler({ publicUrlOf, maxBodyBytes: config.maxBodyBytes, metrics });
  const app = createServer({ config, log, metrics, handleError });
  const drain = createDrain({
    app,
    clients,
    cluster,
    feed,
    connectionLog,
    records,
    keyUse,
    quotas,
    lastSeen,
    config,
    log,
  });
  // Redis away altogether is no reason to leave the balancer: local worlds go on. A deaf instance must leave.
  const isReady = () => !drain.hasBegun() && cluster.health().state !== 'deaf';
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    // A caller that keeps its connection would come back to an instance that is leaving.
    if (drain.hasBegun()) void reply.header('connection', 'close');
    done();
  });
  app.setErrorHandler(handleError);
  if (!config.publicUrl) app.addHook('onRequest', (request) => Promise.resolve(refuseForeignHost(request)));
  if (options.onRoute) app.addHook('onRoute', options.onRoute);
  answerUnmatched(app);
  answerAnyOrigin(app);
  await registerOpenApi(app, { version, publicUrlOf });
  await app.register(rateLimit, {
    global: false,
    enableDraftSpec: true,
    keyGenerator: keyOfAddress,
    store: createRateStore(quotas),
    errorResponseBuilder: refuseByRate,
  });

  await registerModuleSocket(app, {
    cluster, clients, connectionLog, admission, handleFrame, lastSeen, presence, deadlines, log, metrics,
    limitKnocks: createLimitKnocks({ limits: accountLimits, connectionLog }),
    settings: config,
    isDraining: drain.hasBegun,
  }); // prettier-ignore
  registerProbes(app, { db, cluster, isReady });
  registerErrorPages(app);
  await registerDocs(app, { version, publicUrlOf });
  await registerDashboard(app, options.dashboardRoot);
  const failures = createSignInFailures({ db, secret: options.secret, now: Date.now });
  const rooms = {
    db,
    feed,
    records,
    log,
    bounds: config,
    secret: options.secret,
    inTurn: createTurns(),
    now: Date.now,
  };
  const accounts: AccountsDeps = {
    ...rooms,
    passwords: createPasswords(readPasswordSettings(config)),
    failures,
    guard: createSignInGuard({
      failures,
      lines: createStrangerLines(readStrangerSettings(config)),
      settings: readGuardSettings(config),
    }),
    mailUrl: config.publicUrl,
    sendMail: options.sendMail,
    registration: config.registration,
    limits: accountLimits,
  };
  const served = [
    ...serveAccounts(accounts),
    ...serveRecords(rooms),
    ...serveWorlds({
      ...rooms,
      presence,
      whoIsOnline: whoIsOnline(cluster.directory),
      notify: (notice) => log.info(notice, 'account notice'),
    }),
    ...serveKeys(rooms),
    ...serveClients({ db, cluster, listKnownClients, limits }),
    ...serveService({ cluster, version, registration: config.registration }),
    ...(options.endpoints ?? []),
  ];
  const takesKey = ({ endpoint }: ServedEndpoint) => endpoint.auth === 'apiKey';
  const endpointDeps = {
    publicUrlOf,
    findSession: (token: string) => findSession({ db, now: Date.now }, token),
    limits: accountLimits,
    maxBodyBytes: Math.min(config.maxAccountBodyBytes, config.maxBodyBytes),
  };
  await app.register(async (scope) => {
    requireApiKey(scope, authenticate);
    limitCallsPerKey(scope, config.callsPerMinute);
    registerOperationRoutes(scope, {
      operations,
      chooseClient: createChooseClient({ db, directory: cluster.directory }),
      router,
      limits,
      metrics,
    });
    await registerEndpoints(scope, served.filter(takesKey), endpointDeps);
  });
  await registerEndpoints(
    app,
    served.filter((one) => !takesKey(one)),
    endpointDeps,
  );

  return {
    app,
    async listen() {
      await cluster.start(clusterMember(clients, router));
      await quotas.start();
      await feed.start();
      background.push(
        watchRevocations({ feed, tokens, clients, log }),
        startHeartbeat(clients, config.heartbeatMs, (socket) => socket.terminate()),
      );
      // All worlds of an instance that went away may knock at once; a dropped knock is repeated ever later.
      return await app.listen({ host: config.host, port: config.port, backlog: 4_096 });
    },
    async drain() {
      await drain.run();
      for (const stop of background.splice(0)) stop();
    },
    isReady,
    async register(credentials) {
      const sender = { ipAddress: '', userAgent: '' };
      return (await register(accounts, { ...credentials, sender })).session.token;
    },
  };
}
