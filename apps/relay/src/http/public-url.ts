import type { FastifyRequest } from 'fastify';
import { isIP } from 'node:net';
import { ProblemError } from './problem.ts';

/**
 * The address that links name: PUBLIC_URL, or the request's own where that is a loopback host. Any other Host
 * is refused then: a page elsewhere could have pointed its own name at this machine (DNS rebinding).
 */
export function createPublicUrl(publicUrl: string | undefined): (request: FastifyRequest) => string {
  return (request) => publicUrl ?? `${request.protocol}://${request.host}`;
}

/** The check behind it, for instances without PUBLIC_URL. */
export function refuseForeignHost(request: FastifyRequest): void {
  if (isLoopbackHost(request.hostname) || request.routeOptions.config.anyHost) return;
  throw new ProblemError(
    'forbidden',
    'This relay answers on loopback addresses only until PUBLIC_URL is set.',
  );
}

export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
