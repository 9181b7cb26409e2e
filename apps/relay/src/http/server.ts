import { expandPath } from '@tabletop-relay/contract';
import Fastify, { LogController } from 'fastify';
import type { FastifyInstance } from 'fastify';
import { randomBytes } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { HttpSettings } from './http-settings.ts';
import type { RelayMetrics } from '../metrics.ts';
import { openHeaders } from './any-origin.ts';
import { createConnectionLimit } from './connections/connection-limit.ts';
import { createOwedAnswers, createUnreadable } from './connections/owed-answers.ts';
import { compileValidator } from './validation.ts';
import type { HandleError } from './error-handler.ts';
import { securityHeaders } from './heads.ts';
import { throwAwayBodies, throwAwayBody } from './bodies/pending-bodies.ts';

export interface ServerDeps {
  config: HttpSettings;
  log: Logger;
  metrics: RelayMetrics;
  handleError: HandleError;
}

/** The bare server: its sockets, times and parsers. What a request passes is added in `routes.ts`. */
export function createServer({ config, log, metrics, handleError }: ServerDeps): FastifyInstance {
  const connections = createConnectionLimit({ config, log, metrics });
  const owed = createOwedAnswers();
  const process = randomBytes(4).toString('hex');
  let requests = 0;
  const nextRequestId = () => `${process}-${(++requests).toString(36)}`;
  // Pages of every origin may read a refusal that is made before there is a route, as they may for an unknown address.
  const headers = { ...securityHeaders(config), ...openHeaders };
  const unreadable = createUnreadable(owed, () => ({
    publicUrl: config.publicUrl ?? '',
    traceId: nextRequestId(),
    log,
    headers,
    metrics,
  }));
  const throwAway = { maxBodyBytes: config.maxBodyBytes, isUnreadable: unreadable.isGivenUp };
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // One logger for all requests: a child for each costs more than all else here.
    childLoggerFactory: (logger) => logger,
    genReqId: nextRequestId,
    // A program of another relay calls by its own paths, and is answered as by ours.
    rewriteUrl: ({ url = '/' }) => expandPath(url),
    bodyLimit: config.maxBodyBytes,
    serverFactory: (handler) => {
      const handle = (request: IncomingMessage, response: ServerResponse) => {
        // Node reads nothing of what came in one chunk behind a request that asks for another protocol, so an answer on this
        // connection could be taken for that of a request which was never read.
        if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
        if (owed.take(request, response)) handler(request, response);
      };
      // A request that asks for another protocol, or at another address, is answered as if it had not asked. So is one
      // behind requests that wait for their answers, because those would come within the other protocol.
      const shouldUpgradeCallback = (request: IncomingMessage) =>
        isForSocket(request) && owed.of(request.socket) === 0;
      const server = createHttpServer({ ...nodeOptions, shouldUpgradeCallback }, handle);
      connections.watch(server);
      // What Node would answer by itself is refused by `heads.ts`.
      server.on('checkExpectation', handle);
      server.on('connect', (_request, socket) => unreadable.refuseTunnel(socket as Socket));
      return server;
    },
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    // While it drains an instance still answers, with a declared 503 where the world has moved.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 512 },
    clientErrorHandler: unreadable.answer,
    // An address that cannot be read fails before any route or hook.
    frameworkErrors: (error, request, reply) => {
      void reply.headers({ ...headers, 'x-request-id': request.id });
      throwAwayBody(request, reply, throwAway);
      handleError(error, request, reply);
    },
  }) as unknown as FastifyInstance;
  app.decorate('answersOwed', () => owed.of());
  throwAwayBodies(app, throwAway);
  unreadable.refuseBroken(app);
  app.setValidatorCompiler(compileValidator);
  // An answer is what its handler returns: nothing takes from it what its schema does not have.
  app.setSerializerCompiler(() => JSON.stringify);
  return app;
}

const nodeOptions = {
  requireHostHeader: false,
  // For a request to arrive whole, and for its headers; its answer may take longer.
  requestTimeout: 60_000,
  headersTimeout: 20_000,
  connectionsCheckingInterval: 5_000,
};

function isForSocket({ url = '', headers }: IncomingMessage): boolean {
  return /^\/(?:relay|ws\/api)(?:\?|$)/.test(url) && headers.upgrade?.toLowerCase() === 'websocket';
}
