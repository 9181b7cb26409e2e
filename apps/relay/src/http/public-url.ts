import type { FastifyRequest } from 'fastify';
import { loopbackAddress } from './heads.ts';

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
