import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ProblemError } from '../problem.ts';

/** Answers what no route matched: 405 with `Allow` where another method would, 404 otherwise. */
export function answerUnmatched(app: FastifyInstance): void {
  const methodsByPattern = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByPattern.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    // Fastify tells of the second form of an address, with or without a slash, under HEAD alone.
    if (methods.has('HEAD')) methods.add('GET');
    methodsByPattern.set(url, methods);
  });

  const refuse = (request: FastifyRequest) => {
    const allowed = allowedMethods(methodsByPattern, request);
    if (allowed.length === 0)
      throw new ProblemError('not_found', `There is no ${pathOf(request)} here. /docs lists what there is.`);
    throw new ProblemError('method_not_allowed', `${pathOf(request)} takes ${allowed.join(', ')}.`, {
      headers: { allow: allowed.join(', ') },
    });
  };
  // As a hook: the handler would run only after the body was read.
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404) refuse(request);
    done();
  });
  // What a route of our own has not: the path of a file.
  app.setNotFoundHandler(refuse);
}

const pathOf = (request: FastifyRequest): string => (request.url.split('?')[0] ?? '').slice(0, 200);

function allowedMethods(patterns: Map<string, Set<string>>, request: FastifyRequest): string[] {
  const path = pathOf(request);
  for (const [pattern, methods] of patterns) {
    if (matches(pattern, path)) return [...methods].filter((method) => method !== 'OPTIONS').sort();
  }
  return [];
}

/** A wildcard route answers by itself what it does not have. */
function matches(pattern: string, path: string): boolean {
  const parts = pattern.split('/');
  const given = path.split('/');
  return (
    !pattern.includes('*') &&
    parts.length === given.length &&
    parts.every((part, index) => (part.startsWith(':') ? given[index] !== '' : part === given[index]))
  );
}
