import type { FastifyInstance, FastifyRequest, preValidationAsyncHookHandler } from 'fastify';
import { ProblemError } from '../../problem.ts';
import { announcesBody } from './announced-body.ts';
import { createReadJson } from './read-json.ts';

/**
 * Reads the body of a GET as that of any other method: Fastify hands the method on without it. A program that puts `userId`
 * there would otherwise act with the game master's rights and never know.
 */
export function readGetBodies(app: FastifyInstance): preValidationAsyncHookHandler {
  const readJson = createReadJson(app, { takesAnyText: true });
  return async function readGetBody(request) {
    if (!announcesBody(request.headers)) return;
    const value = await readJson(request, await readWhole(request));
    if (value !== undefined) request.body = value;
  };
}

/** Rejects with `payload_too_large` above the limit of the route, and reads no more then. */
export async function readWhole({ raw, headers, routeOptions }: FastifyRequest): Promise<Buffer> {
  let left = routeOptions.bodyLimit;
  if (Number(headers['content-length'] ?? 0) > left) throw new ProblemError('payload_too_large');
  const chunks: Buffer[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const take = (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) return reject(new ProblemError('payload_too_large'));
    chunks.push(chunk);
  };
  // Also where the bound on half-sent bodies gives this one up.
  raw.on('error', reject);
  raw.on('end', resolve);
  raw.on('data', take);
  try {
    await promise;
  } finally {
    raw.off('data', take).off('end', resolve).off('error', reject);
  }
  return Buffer.concat(chunks);
}
