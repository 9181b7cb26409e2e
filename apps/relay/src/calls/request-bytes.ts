import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { ProblemError } from '../problem.ts';

export interface RequestByteLimits {
  ofKey: number;
  ofInstance: number;
}

/**
 * Counts the large request bodies of calls in flight: before they are read where they name their length, and else as they
 * come. Throws `overloaded` above the limit of the key or of the instance, or ends the body with it; nothing was sent then.
 */
export type HoldRequestBytes = (request: FastifyRequest, reply: FastifyReply, body: Readable) => void;

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

  /** The one whose bytes would be too many. */
  function whoseAreTooMany(keyId: string, bytes: number): string | undefined {
    if ((byKey.get(keyId) ?? 0) + bytes > limits.ofKey) return 'This key';
    return total + bytes > limits.ofInstance ? 'This instance' : undefined;
  }

  /** Counts a body that names no length from when it turns out to be large. */
  function countChunks(keyId: string, reply: FastifyReply, body: Readable): void {
    let held = 0;
    let come = 0;
    const count = (chunk: Buffer): void => {
      come += chunk.length;
      if (come <= smallBodyBytes) return;
      const who = whoseAreTooMany(keyId, come - held);
      if (who !== undefined) {
        body.off('data', count);
        // Its reader takes it for the body's end and answers it.
        body.emit('error', tooMany(who, { connection: 'close' }));
        return;
      }
      add(keyId, come - held);
      held = come;
    };
    body.on('data', count);
    reply.raw.once('close', () => {
      body.off('data', count);
      add(keyId, -held);
    });
  }

  return (request, reply, body) => {
    if (reply.raw.destroyed) return;
    const { keyId } = request.principal;
    const bytes = announcedBytes(request);
    if (bytes === undefined) return countChunks(keyId, reply, body);
    if (bytes <= smallBodyBytes) return;
    const who = whoseAreTooMany(keyId, bytes);
    if (who !== undefined) throw tooMany(who);
    add(keyId, bytes);
    reply.raw.once('close', () => add(keyId, -bytes));
  };
}

/** Whether a body is announced that is large enough to be counted. */
export const announcesLargeBody = (request: FastifyRequest): boolean =>
  (announcedBytes(request) ?? request.routeOptions.bodyLimit) > smallBodyBytes;

/** The length that the request names; undefined for a body in chunks, which names none. */
function announcedBytes({ headers, routeOptions, raw }: FastifyRequest): number | undefined {
  const named = headers['content-length'];
  // A body above the route's limit is refused before it is read.
  if (named !== undefined) return Number(named) > routeOptions.bodyLimit ? 0 : Number(named);
  return raw.headers['transfer-encoding'] === undefined ? 0 : undefined;
}

function tooMany(who: string, headers: Record<string, string> = {}): ProblemError {
  const detail = `${who} has too many bytes of large requests in flight. Nothing was sent; repeat the call.`;
  return new ProblemError('overloaded', detail, { headers });
}
