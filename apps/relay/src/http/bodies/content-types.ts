import type { FastifyInstance } from 'fastify';
import { ProblemError } from '../../problem.ts';
import { createParseJson } from '../../calls/bodies/parse-json.ts';

/** Bodies are JSON, or there is none. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain');
  const parse = createParseJson(app);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    parse(request, body as string, done),
  );
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
