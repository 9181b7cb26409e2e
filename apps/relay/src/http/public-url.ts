import { isLoopbackHost } from '@tabletop-relay/process';
import type { FastifyRequest } from 'fastify';
import { ProblemError } from '../problem.ts';

/** The public address of this service, as links in an answer name it: without a slash at the end. */
export type PublicUrlOf = (request: FastifyRequest) => string;

/**
 * The address that links name: PUBLIC_URL, or the request's own where that is a loopback host. Any other Host is refused
 * then, because a page elsewhere could have pointed its own name at this machine (DNS rebinding). Links in that refusal
 * are relative, so that the answer does not repeat the Host.
 */
export function createPublicUrl(publicUrl: string | undefined): PublicUrlOf {
  return (request) => publicUrl ?? loopbackAddress(request) ?? '';
}

/** The check behind it, for instances without PUBLIC_URL. */
export function refuseForeignHost(request: FastifyRequest): void {
  if (loopbackAddress(request) !== undefined || request.routeOptions.config.anyHost) return;
  throw new ProblemError(
    'forbidden',
    'This relay answers on loopback addresses only until PUBLIC_URL is set.',
  );
}

/** What was asked last and its answer: most requests name the same host, and each asks several times. */
let last: { named: string; address: string | undefined } = { named: '', address: undefined };

/** As the request names it, if it can be an address at all; names of hosts ignore case. */
function loopbackAddress({ protocol, host }: FastifyRequest): string | undefined {
  const named = `${protocol}://${host}`;
  if (last.named !== named) {
    const url = URL.parse(named);
    last = { named, address: url !== null && isLoopbackHost(url.hostname) ? url.origin : undefined };
  }
  return last.address;
}
