import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ProblemError } from '../problem.ts';

interface Pattern {
  parts: readonly string[];
  methods: Set<string>;
}

/** Answers what no route matched: 405 with `Allow` where another method would, 404 otherwise. */
export function answerUnmatched(app: FastifyInstance): void {
  const patterns = new Map<string, Pattern>();
  app.addHook('onRoute', ({ url, method }) => {
    // A wildcard route answers by itself what it does not have.
    if (url.includes('*')) return;
    const { methods } = getOrAdd(patterns, url);
    for (const one of [method].flat()) methods.add(one);
    // Fastify tells of the second form of an address, with or without a slash, under HEAD alone.
    if (methods.has('HEAD')) methods.add('GET');
  });

  const refuse = (request: FastifyRequest) => {
    const allowed = allowedMethods(patterns.values(), request);
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

function getOrAdd(patterns: Map<string, Pattern>, url: string): Pattern {
  const pattern = patterns.get(url) ?? { parts: url.split('/'), methods: new Set() };
  patterns.set(url, pattern);
  return pattern;
}

function allowedMethods(patterns: Iterable<Pattern>, request: FastifyRequest): string[] {
  const given = pathOf(request).split('/');
  for (const { parts, methods } of patterns) {
    if (matches(parts, given)) return [...methods].filter((method) => method !== 'OPTIONS').sort();
  }
  return [];
}

function matches(parts: readonly string[], given: readonly string[]): boolean {
  return (
    parts.length === given.length &&
    parts.every((part, index) => (part.startsWith(':') ? given[index] !== '' : part === given[index]))
  );
}
