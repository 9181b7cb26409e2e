import { expandPath } from '@tabletop-relay/contract';
import Fastify, { LogController } from 'fastify';
import type { FastifyInstance } from 'fastify';
import { randomBytes } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { HttpSettings } from './http-settings.ts';
import type { RelayMetrics } from '../metrics.ts';
import { openHeaders } from './any-origin.ts';
import { createConnectionLimit } from './connections/connection-limit.ts';
import { paceConnections } from './connections/pace-connections.ts';
import { createPipelines } from './connections/pipelines.ts';
import { createValidatorCompiler } from './validation.ts';
import type { HandleError } from './error-handler.ts';
import { securityHeaders } from './standing-headers.ts';
import { answerUnreadable, refuseTunnel } from './bodies/unreadable.ts';

export interface ServerDeps {
  config: HttpSettings;
  log: Logger;
  metrics: RelayMetrics;
  handleError: HandleError;
}

/** The bare server: its sockets, times and parsers. What a request passes is added in `routes.ts`. */
export function createServer({ config, log, metrics, handleError }: ServerDeps): FastifyInstance {
  const connections = createConnectionLimit({ config, log, metrics });
  const pipelines = createPipelines();
  const process = randomBytes(4).toString('hex');
  let requests = 0;
  const nextRequestId = () => `${process}-${(++requests).toString(36)}`;
  // Pages of every origin may read a refusal that is made before there is a route, as they may for an unknown address.
  const headers = { ...securityHeaders(config), ...openHeaders };
  const unreadableContext = () => ({
    publicUrl: config.publicUrl ?? '',
    traceId: nextRequestId(),
    log,
    headers,
    metrics,
  });
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
      const server = createHttpServer(times, (request, response) => {
        pipelines.count(request, response);
        handler(request, response);
      });
      // Longer than balancers keep theirs, so that the balancer closes first: the side that closes never loses a request.
      server.keepAliveTimeout = 72_000;
      paceConnections(server);
      connections.watch(server);
      server.on('connect', (_request, socket) => refuseTunnel(socket as Socket, unreadableContext()));
      return server;
    },
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    // While it drains an instance still answers, with a declared 503 where the world has moved.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 512 },
    clientErrorHandler: (error, socket) => {
      if (pipelines.keepRest(error, socket)) return;
      answerUnreadable(error, socket, unreadableContext());
    },
    // An address that cannot be read fails before any route or hook.
    frameworkErrors: (error, request, reply) => {
      void reply.headers({ ...headers, 'x-request-id': request.id });
      handleError(error, request, reply);
    },
  }) as unknown as FastifyInstance;
  app.setValidatorCompiler(createValidatorCompiler());
  // An answer is what its handler returns: nothing takes from it what its schema does not have.
  app.setSerializerCompiler(() => JSON.stringify);
  return app;
}

const times = {
  // For a request to arrive whole, and for its headers; its answer may take longer.
  requestTimeout: 60_000,
  headersTimeout: 20_000,
  connectionsCheckingInterval: 5_000,
  // A request that asks for another protocol, or at another address, is answered as if it had not asked.
  shouldUpgradeCallback: isForModules,
};

function isForModules({ url = '', headers }: IncomingMessage): boolean {
  return /^\/relay(?:\?|$)/.test(url) && headers.upgrade?.toLowerCase() === 'websocket';
}
