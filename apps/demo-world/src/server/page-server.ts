import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { fastifyStatic } from '@fastify/static';
import { fastifyWebsocket } from '@fastify/websocket';
import { fastify } from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { World } from '../world/world.ts';
import type { LiveLink } from './live-link.ts';
import { registerLogIn } from './log-in.ts';

const maxMessageBytes = 64 * 1024;

/**
 * `connect-src` is open: with `?own` the page is a world that pairs with any relay. Such a world runs scripts in an interpreter
 * that is WebAssembly.
 */
const headers = {
  'content-security-policy':
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; connect-src * ws: wss:; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/**
 * Serves the page's files and its live link at `/live`. Anyone who can reach it acts as the game master, so requests must
 * name this very host (a foreign name that resolves here is DNS rebinding), and the link its own origin.
 */
export async function createPageServer(options: {
  pageDir: string;
  liveLink: LiveLink;
  /** Host names, without port, that it answers to. */
  hosts: readonly string[];
  world: World;
  /** Passwords by the names of users; without one there is no log-in page. */
  passwords?: Readonly<Record<string, string>> | undefined;
}): Promise<FastifyInstance> {
  const { pageDir, liveLink, hosts, world, passwords } = options;
  const server = fastify({ forceCloseConnections: true });
  // The plugin comes before the hook, because only then it ends the sockets of upgrades that the hook refuses.
  await server.register(fastifyWebsocket, { options: { maxPayload: maxMessageBytes } });
  server.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headers);
    const refusal = refusalOf(request, hosts);
    if (refusal) void reply.code(refusal.status).send(`${refusal.text}\n`);
    else done();
  });
  server.get('/live', { websocket: true }, (socket) => liveLink.add(socket));
  if (existsSync(pageDir)) {
    await server.register(fastifyStatic, { root: pageDir });
    const sendPage = (reply: FastifyReply) => reply.sendFile('index.html');
    if (passwords) registerLogIn(server, { world, passwords, sendPage });
  } else
    server.get('/', (_request, reply) =>
      reply.code(503).send(`The page is not built: run \`pnpm build\` and start again\n`),
    );
  return server;
}

/** The host names that a server on this address is called by. */
export function hostNamesOf(host: string): string[] {
  return [isIP(host) === 6 ? `[${host}]` : host, 'localhost', '127.0.0.1', '[::1]'];
}

function refusalOf(request: FastifyRequest, hosts: readonly string[]) {
  if (!hosts.includes(request.hostname)) return { status: 421, text: 'This world has another address' };
  if (!request.headers.upgrade || isSameOrigin(request)) return null;
  return { status: 403, text: 'The live link is for this world’s own page' };
}

function isSameOrigin(request: FastifyRequest): boolean {
  const { origin } = request.headers;
  return origin === `http://${request.host}` || origin === `https://${request.host}`;
}
