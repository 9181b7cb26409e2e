import type { FastifyInstance, FastifyRequest, preValidationAsyncHookHandler } from 'fastify';
import { ProblemError } from '../../problem.ts';
import { announcesBody } from './announced-body.ts';
import { createParseJson } from './parse-json.ts';

/**
 * Reads the body of a GET as that of any other method: Fastify hands the method on without it. A program that puts `userId`
 * there would otherwise act with the game master's rights and never know.
 */
export function readGetBodies(app: FastifyInstance): preValidationAsyncHookHandler {
  const parse = createParseJson(app);
  return async function readGetBody(request) {
    const { headers } = request;
    if (!announcesBody(headers)) return;
    const body = await readWhole(request);
    if (body === '') return;
    const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
    if (type.trim().toLowerCase() !== 'application/json') throw new ProblemError('unsupported_media_type');
    request.body = await new Promise((resolve, reject) =>
      parse(request, body, (error, value) => (error ? reject(error) : resolve(value))),
    );
  };
}

/** Rejects with `payload_too_large` above the limit of the route, and reads no more then. */
async function readWhole({ raw, headers, routeOptions }: FastifyRequest): Promise<string> {
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
  return Buffer.concat(chunks).toString();
}
