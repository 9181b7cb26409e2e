import { storableText } from '@tabletop-relay/database';
import type { WorldMetadata } from '@tabletop-relay/contract';
import { toPlainText } from '@tabletop-relay/kit';
import type { FastifyRequest } from 'fastify';

/** A module that connects to `/relay`. The values are copied, so that the request can be garbage-collected. */
export interface Visitor {
  clientId: string;
  world: WorldMetadata;
  /** The IP address without the port. */
  address: string;
  /** Address and port, as `GET /clients` shows it. */
  ipAddress: string;
  userAgent: string;
  origin: string;
}

const maxFieldLength = 256;

/** Reads the socket's URL and headers; `foundryVersion` is read as `tabletopVersion`. */
export function readVisitor(request: FastifyRequest): Visitor {
  const query = request.query as Record<string, unknown>;
  const field = (name: string) => text(query[name]);
  // People read these names, so they are cleaned; a bad name does not refuse the module. Ids stay as they were sent.
  const title = (name: string) => toPlainText(field(name));
  const port = request.raw.socket.remotePort ?? 0;
  return {
    clientId: field('id'),
    world: {
      worldId: field('worldId'),
      worldTitle: title('worldTitle'),
      tabletopVersion: title('tabletopVersion') || title('foundryVersion'),
      systemId: field('systemId'),
      systemTitle: title('systemTitle'),
      systemVersion: title('systemVersion'),
      customName: title('customName'),
    },
    address: request.ip,
    ipAddress: request.ip.includes(':') ? `[${request.ip}]:${port}` : `${request.ip}:${port}`,
    userAgent: toPlainText(text(request.headers['user-agent'])),
    origin: text(request.headers.origin),
  };
}

const text = (value: unknown): string => storableText(value, maxFieldLength);
