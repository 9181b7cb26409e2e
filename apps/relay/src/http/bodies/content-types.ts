import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { announcesBody } from '../../calls/bodies/announced-body.ts';
import { readWhole } from '../../calls/bodies/get-body.ts';
import { createReadJson, isAnyText, mediaType } from '../../calls/bodies/read-json.ts';
import { ProblemError } from '../../problem.ts';

/** Bodies are JSON, or there is none. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain');
  const readJson = createReadJson(app, { takesAnyText: false });
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => await readJson(request, body),
  );
  app.addContentTypeParser('*', refuseOtherTypes);
  judgeBodies(app);
}

/** In this scope a JSON object is read of text, of a form and without a type, too. */
export function readAnyText(scope: FastifyInstance): void {
  const readJson = createReadJson(scope, { takesAnyText: true });
  scope.removeContentTypeParser('*');
  scope.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) =>
    isAnyText(mediaType(request.headers))
      ? await readJson(request, await readWhole(request))
      : await refuseOtherTypes(request, payload),
  );
}

/** An empty body needs no type, and its type does not matter. One that has a length is refused before it is read. */
async function refuseOtherTypes({ headers }: FastifyRequest, payload: IncomingMessage): Promise<undefined> {
  const problem = new ProblemError('unsupported_media_type');
  if (Number(headers['content-length'] ?? 0) > 0) throw problem;
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const refuse = () => reject(problem);
  const end = () => resolve(undefined);
  payload.on('data', refuse).on('error', reject).on('end', end);
  return await promise.finally(() => payload.off('data', refuse).off('error', reject).off('end', end));
}

/**
 * An empty body has no type. One with an encoding is refused: what is sent compressed would be stored compressed, and
 * unpacking it would take more memory than any limit says.
 */
function judgeBodies(app: FastifyInstance): void {
  app.addHook('preParsing', ({ headers }, _reply, payload, done) => {
    if (!announcesBody(headers)) {
      // Fastify would look at it, and some types are none.
      delete headers['content-type'];
      return done(null, payload);
    }
    const named = encodingOf(headers);
    if (named === undefined) return done(null, payload);
    done(new ProblemError('unsupported_media_type', `A body is taken as it is: send it without ${named}.`));
  });
}

/** The header by which a body is encoded. Node takes the chunks of `gzip, chunked` apart and leaves the rest as it is. */
function encodingOf(headers: IncomingHttpHeaders): string | undefined {
  const { 'content-encoding': content = '', 'transfer-encoding': transfer = 'chunked' } = headers;
  if (!/^\s*(?:identity)?\s*$/i.test(content)) return '`Content-Encoding`';
  return /^\s*chunked\s*$/i.test(transfer) ? undefined : 'another `Transfer-Encoding` than `chunked`';
}
