import { OutboundError } from '@tabletop-relay/outbound';
import type { AddressGuard } from '@tabletop-relay/outbound';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createAddressCheck } from './address-check.ts';
import type { AddressCheck } from './address-check.ts';
import { forward, openTunnel, refuse } from './connections.ts';

/** The way of one session's browser to the network. */
export interface FilteringProxy extends Pick<AddressCheck, 'allow' | 'refusals'> {
  url: string;
  /** Ends all that goes through it. */
  close(): Promise<void>;
}

/** More than Chromium opens to one proxy. What is above it is closed at once. */
const mostConnections = 256;

/**
 * An HTTP proxy on loopback for one browser context. It resolves each host, checks every address it has, and connects to a
 * checked one: a name that leads elsewhere a moment later is checked again, and no redirect, frame or script goes past it.
 * Rejects where the machine gives it no port.
 */
export async function startFilteringProxy({
  guard,
  maxConnections = mostConnections,
}: {
  guard: AddressGuard;
  maxConnections?: number;
}): Promise<FilteringProxy> {
  const { check, allow, refusals } = createAddressCheck(guard);
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    forward(check, request, response).catch(() => refuse(response, 403));
  });
  server.maxConnections = maxConnections;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  });
  server.on('connect', ({ url = '' }: IncomingMessage, client: Duplex, head: Buffer) => {
    openTunnel(check, { target: url, client, head }).catch((error: unknown) => {
      client.end(`HTTP/1.1 ${error instanceof OutboundError ? '403 Forbidden' : '502 Bad Gateway'}\r\n\r\n`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A connection that cannot be accepted, for want of open files, is not the end of the host.
  server.on('error', () => {});
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    allow,
    refusals,
    async close() {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
