import { Budget } from '@tabletop-relay/kit';
import type { GiveBack, Owner } from '@tabletop-relay/kit';
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
  const budget = new Budget(limits.ofInstance);

  /** Throws where the bytes would be too many. */
  function take(owner: Owner, bytes: number, headers?: Record<string, string>): GiveBack {
    const giveBack = budget.take([owner], bytes);
    if (giveBack) return giveBack;
    throw tooMany(budget.lacking([owner], bytes) === 'all' ? 'This instance' : 'This key', headers);
  }

  /** Counts a body that names no length from when it turns out to be large. */
  function countChunks(owner: Owner, reply: FastifyReply, body: Readable): void {
    let giveBack: GiveBack | undefined;
    let come = 0;
    const count = (chunk: Buffer): void => {
      come += chunk.length;
      if (come <= smallBodyBytes) return;
      giveBack?.();
      try {
        giveBack = take(owner, come, { connection: 'close' });
      } catch (error) {
        body.off('data', count);
        // Its reader takes it for the body's end and answers it.
        body.emit('error', error);
      }
    };
    body.on('data', count);
    reply.raw.once('close', () => {
      body.off('data', count);
      giveBack?.();
    });
  }

  return (request, reply, body) => {
    if (reply.raw.destroyed) return;
    const owner = { of: request.principal.keyId, most: limits.ofKey };
    const bytes = announcedBytes(request);
    if (bytes === undefined) return countChunks(owner, reply, body);
    if (bytes > smallBodyBytes) reply.raw.once('close', take(owner, bytes));
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
