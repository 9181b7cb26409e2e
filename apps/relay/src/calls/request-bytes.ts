import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProblemError } from '../problem.ts';

export interface RequestByteLimits {
  ofKey: number;
  ofInstance: number;
}

/**
 * Counts the large request bodies of calls in flight, before they are read. Throws `overloaded` above the limit of the
 * key or of the instance; nothing was sent then.
 */
export type HoldRequestBytes = (request: FastifyRequest, reply: FastifyReply) => void;

/** Smaller bodies are not counted. The number of calls in flight bounds them. */
const smallBodyBytes = 64 * 1024;

export function createHoldRequestBytes(limits: RequestByteLimits): HoldRequestBytes {
  const byKey = new Map<string, number>();
  let total = 0;

  const add = (keyId: string, bytes: number): void => {
    total += bytes;
    const own = (byKey.get(keyId) ?? 0) + bytes;
    if (own === 0) byKey.delete(keyId);
    else byKey.set(keyId, own);
  };

  return (request, reply) => {
    const bytes = announcedBytes(request);
    if (bytes <= smallBodyBytes || reply.raw.destroyed) return;
    const { keyId } = request.principal;
    if ((byKey.get(keyId) ?? 0) + bytes > limits.ofKey) throw tooMany('This key');
    if (total + bytes > limits.ofInstance) throw tooMany('This instance');
    add(keyId, bytes);
    reply.raw.once('close', () => add(keyId, -bytes));
  };
}

/** Whether a body is announced that is large enough to be counted. */
export const announcesLargeBody = (request: FastifyRequest): boolean =>
  announcedBytes(request) > smallBodyBytes;

/** The length that the request names. One in chunks names none, so it counts as the longest that its route takes. */
function announcedBytes({ headers, routeOptions, raw }: FastifyRequest): number {
  const named = headers['content-length'];
  // A body above the route's limit is refused before it is read.
  if (named !== undefined) return Number(named) > routeOptions.bodyLimit ? 0 : Number(named);
  return raw.headers['transfer-encoding'] === undefined ? 0 : routeOptions.bodyLimit;
}

function tooMany(who: string): ProblemError {
  return new ProblemError(
    'overloaded',
    `${who} has too many bytes of large requests in flight. Nothing was sent; repeat the call.`,
  );
}
