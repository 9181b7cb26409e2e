import Fastify, { LogController } from 'fastify';
import type { FastifyInstance } from 'fastify';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { RelayConfig } from '../config.ts';
import { answerUnreadable } from './problem.ts';
import type { HandleError } from './problem.ts';

/** The bare server: what holds for every request, whatever its route. */
export function createServer(config: RelayConfig, log: Logger, handleError: HandleError): FastifyInstance {
  const process = randomBytes(4).toString('hex');
  let requests = 0;
  const nextRequestId = () => `${process}-${(++requests).toString(36)}`;
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // One logger for all requests: a child for each costs more than all else here.
    childLoggerFactory: (logger) => logger,
    genReqId: nextRequestId,
    bodyLimit: config.maxBodyBytes,
    // For a request to arrive whole; its answer may take longer.
    requestTimeout: 60_000,
    // What asks for any other protocol anywhere else is answered as if it had not.
    http: { shouldUpgradeCallback: isForModules },
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    // While it drains an instance still answers, with a declared 503 where the world has moved.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 512 },
    clientErrorHandler: (error, socket) => {
      const context = { publicUrl: config.publicUrl ?? '', traceId: nextRequestId(), log };
      answerUnreadable(error, socket, context);
    },
    // What fails before any route or hook: an address that cannot be read.
    frameworkErrors: (error, request, reply) => {
      void reply.header('x-request-id', request.id);
      handleError(error, request, reply);
    },
  }) as unknown as FastifyInstance;
  app.removeContentTypeParser('text/plain');
  acceptEmptyJson(app);
  return app;
}

function isForModules({ url = '', headers }: IncomingMessage): boolean {
  return /^\/relay(?:\?|$)/.test(url) && headers.upgrade?.toLowerCase() === 'websocket';
}

/** Many programs send `Content-Type: application/json` with nothing behind it: no body, no error. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void parse(request, body as string, done);
  });
}
