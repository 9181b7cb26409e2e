import type { FastifyRequest } from 'fastify';
import { kindOfSecret } from '../credentials/secret.ts';

/** What programs and proxies use: UUIDs, ULIDs, base64url, paths with dots and colons. */
const wellFormed = /^[\w.:-]{1,128}$/;

/**
 * The id that the caller gave the request (`x-request-id`), or undefined. It is logged beside ours and echoed as
 * `x-caller-request-id`; another text is dropped, because a log line and a header hold nothing that anybody may write freely.
 */
export function callerRequestId({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const given = headers['x-request-id'];
  if (typeof given !== 'string' || !wellFormed.test(given)) return undefined;
  // A key in the wrong header.
  return kindOfSecret(given) === undefined ? given : undefined;
}
