import type { FastifyInstance } from 'fastify';
import { ProblemError } from '../../problem.ts';

/** Bodies are JSON, or there is none. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain');
  const parse = app.getDefaultJsonParser('error', 'error');
  // Many programs send `Content-Type: application/json` with nothing behind it: no body, no error.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void parse(request, body as string, done);
  });
  // A chunked body may be empty, and then it needs no type.
  app.addContentTypeParser('*', (request, payload, done) => {
    const refuse = () => done(new ProblemError('unsupported_media_type'));
    if (request.headers['content-type'] !== undefined) return refuse();
    payload.once('data', refuse);
    payload.once('error', done);
    payload.once('end', () => {
      payload.off('data', refuse);
      done(null, undefined);
    });
  });
}
