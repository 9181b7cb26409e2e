import type { FastifyInstance, FastifyRequest } from 'fastify';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import pino from 'pino';
import { Registry } from 'prom-client';
import { onTestFinished } from 'vitest';
import type { HttpSettings } from '../../src/http/http-settings.ts';
import { createServer } from '../../src/http/server.ts';
import { createErrorHandler } from '../../src/http/error-handler.ts';
import { refuseWrongHeads } from '../../src/http/heads.ts';
import { createRelayMetrics } from '../../src/metrics.ts';

/** The largest body of a bare server. */
export const bodyBytes = 1_000_000;

const config = {
  maxConnections: 100,
  maxConnectionsPerAddress: 100,
  keepAliveMs: 620_000,
  trustedProxies: [],
  maxBodyBytes: bodyBytes,
} as unknown as HttpSettings;

export interface BareServer {
  app: FastifyInstance;
  server: FastifyInstance['server'];
  /** The paths of the requests that were handled. */
  handled: string[];
  /** The sockets that it took. */
  taken: Socket[];
  /** A connection of a client that does as the test says. It leaves its own half open. */
  open(localAddress?: string): Socket;
}

/** Resolves when the server has ended a connection, in whatever way. */
export function isEnded(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['end', 'close']) socket.once(event, () => resolve());
  });
}

/** The relay's server without its routes: it answers each request with its path, or with what `answer` says. */
export async function listen(
  answer: (path: string, request: FastifyRequest) => unknown = (path) => path,
  { prepare, ...settings }: Partial<HttpSettings> & { prepare?: (app: FastifyInstance) => void } = {},
): Promise<BareServer> {
  const metrics = createRelayMetrics(new Registry());
  const handleError = createErrorHandler({
    publicUrlOf: () => '',
    metrics,
    logCalls: { failed: () => {} },
    nameOf: (boot) => boot,
    answerPerson: () => false,
  });
  const log = pino({ enabled: false });
  const app = createServer({ config: { ...config, ...settings }, log, metrics, handleError });
  const { server } = app;
  const handled: string[] = [];
  const taken: Socket[] = [];
  server.on('connection', (socket) => taken.push(socket));
  app.setErrorHandler(handleError);
  refuseWrongHeads(app);
  app.addHook('onRequest', (request, _reply, done) => {
    handled.push(request.url);
    done();
  });
  prepare?.(app);
  app.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.route({
    method: ['GET', 'POST'],
    url: '/*',
    handler: async (request, reply) =>
      await reply.type('text/plain').send(await answer(request.url, request)),
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(async () => {
    for (const socket of taken) socket.destroy();
    await app.close();
  });
  const { port } = server.address() as AddressInfo;
  const open = (localAddress = '127.0.0.1'): Socket => {
    const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true }).on(
      'error',
      () => {},
    );
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  return { app, server, handled, taken, open };
}
