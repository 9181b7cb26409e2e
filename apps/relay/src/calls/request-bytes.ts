import { Budget } from '@tabletop-relay/kit';
import type { GiveBack, Owner } from '@tabletop-relay/kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { ProblemError } from '../problem.ts';
import type { IncomingHttpHeaders } from 'node:http';

export interface RequestByteLimits {
  ofKey: number;
  ofInstance: number;
}

/**
 * Counts the large request bodies of calls in flight: before they are read where they name their length, and else as they
 * come. Throws `overloaded` above the limit of the key or of the instance, or ends the body with it; nothing was sent then.
 */
export type CountRequestBytes = (request: FastifyRequest, reply: FastifyReply, body: Readable) => void;

/** Counts the large requests of calls in flight, whatever way they came. */
export interface RequestBytes {
  count: CountRequestBytes;
  /** Counts a request of a key that has come whole, until the returned function is called. Throws `overloaded`. */
  take(keyId: string, bytes: number): GiveBack;
}

/** Smaller bodies are not counted. The number of calls in flight bounds them. */
const smallBodyBytes = 64 * 1024;

export function createRequestBytes(limits: RequestByteLimits): RequestBytes {
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

  const ownerOf = (keyId: string): Owner => ({ of: keyId, most: limits.ofKey });

  return {
    count(request, reply, body) {
      if (reply.raw.destroyed) return;
      const owner = ownerOf(request.principal.keyId);
      const bytes = readBytes(request);
      if (bytes === Infinity) return countChunks(owner, reply, body);
      if (bytes > smallBodyBytes) reply.raw.once('close', take(owner, bytes));
    },
    take: (keyId, bytes) => (bytes > smallBodyBytes ? take(ownerOf(keyId), bytes) : () => {}),
  };
}

/** Whether a body is announced that is large enough to be counted. */
export const announcesLargeBody = (request: FastifyRequest): boolean => readBytes(request) > smallBodyBytes;

/** How much will be read of a body; Infinity for one in chunks. What is above the limit of its route is refused before it is read. */
function readBytes({ headers, routeOptions }: FastifyRequest): number {
  const bytes = announcedBytes(headers);
  return bytes !== Infinity && bytes > routeOptions.bodyLimit ? 0 : bytes;
}

/** The bytes that the headers announce. A body in chunks tells no length, so it may be endless. */
export function announcedBytes(headers: IncomingHttpHeaders): number {
  const length = headers['content-length'];
  if (length !== undefined) return Number(length);
  return headers['transfer-encoding'] === undefined ? 0 : Infinity;
}

function tooMany(who: string, headers: Record<string, string> = {}): ProblemError {
  const detail = `${who} has too many bytes of large requests in flight. Nothing was sent; repeat the call.`;
  return new ProblemError('overloaded', detail, { headers });
}

/** Whether the headers announce a body. One in chunks may still turn out to be empty. */
export const announcesBody = (headers: IncomingHttpHeaders): boolean =>
  Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
