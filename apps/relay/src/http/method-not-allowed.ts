import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ProblemError } from '../problem.ts';
import { isPreflight } from './any-origin.ts';
import type { PreflightHeaders } from './any-origin.ts';
import { pathOf } from './paths.ts';
import type { Paths } from './paths.ts';

/** Answers what no route matched: 405 with `Allow` where another method would, 404 otherwise. */
export function answerUnmatched(
  app: FastifyInstance,
  { paths, preflightHeaders }: { paths: Paths; preflightHeaders: PreflightHeaders },
): void {
  const refuse = (request: FastifyRequest) => {
    const path = pathOf(request);
    const allowed = paths.methodsOf(path).join(', ');
    if (allowed === '')
      throw new ProblemError('not_found', `There is no ${path} here. /docs lists what there is.`);
    throw new ProblemError('method_not_allowed', `${path} takes ${allowed}.`, {
      headers: { allow: allowed },
    });
  };
  // As a hook: the handler would run only after the body was read.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    // Without this the browser would not even ask, and its page would show no words of ours.
    if (isPreflight(request) && paths.methodsOf(pathOf(request)).length === 0)
      return void reply.code(204).headers(preflightHeaders()).send();
    refuse(request);
  });
  // A route of our own may still find nothing: the path of a file that does not exist.
  app.setNotFoundHandler(refuse);
}
