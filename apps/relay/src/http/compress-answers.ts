import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { promisify } from 'node:util';
import { constants, gzip, gzipSync } from 'node:zlib';
import { chooseEncoding } from './documents/choose-encoding.ts';
import type { HttpSettings } from './http-settings.ts';

/** An answer of the account API is compressed from this size on: below it a network packet holds it anyway. */
export const compressEndpointBytes = 1_024;
/** Up to here the way to a thread and back takes longer than the compressing: docs/performance.md. */
const hereBelowBytes = 65_536;

const inThread = promisify(gzip);
const options = { level: constants.Z_BEST_SPEED };

/**
 * Compresses the answers of the routes that say from which size on (`compressFrom`), so no stream and no file is touched.
 * An answer that holds a secret is sent as it is, and proxies are told to leave it so: it may hold what somebody else
 * chose as well, and the length of the two packed together tells of the secret (BREACH).
 */
export function compressAnswers(
  app: FastifyInstance,
  { compressionsAtOnce }: Pick<HttpSettings, 'compressionsAtOnce'>,
): void {
  let underWay = 0;

  async function compressInThread(payload: string | Buffer): Promise<Buffer> {
    underWay++;
    try {
      return await inThread(payload, options);
    } finally {
      underWay--;
    }
  }

  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.routeOptions.config.secretAnswer)
      void reply.header('cache-control', 'no-store, no-transform');
    if (compressionsAtOnce === 0 || !isWorthIt(request, reply, payload)) return done(null, payload);
    const send = (packed: Buffer) => {
      void reply.headers({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
      void reply.removeHeader('content-length');
      done(null, packed);
    };
    if (payload.length < hereBelowBytes) return send(gzipSync(payload, options));
    if (underWay >= compressionsAtOnce) return done(null, payload);
    compressInThread(payload).then(send, done);
  });
}

function isWorthIt(
  { headers, routeOptions: { config } }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): payload is string | Buffer {
  const { compressFrom, secretAnswer } = config;
  if (compressFrom === undefined || secretAnswer) return false;
  if (!(typeof payload === 'string' || payload instanceof Buffer) || payload.length < compressFrom)
    return false;
  if (reply.hasHeader('content-encoding')) return false;
  if (!/^application\/(?:problem\+)?json/.test(String(reply.getHeader('content-type')))) return false;
  return chooseEncoding(headers['accept-encoding'], ['gzip']) !== undefined;
}
