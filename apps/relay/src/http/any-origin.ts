import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pathOf } from './paths.ts';
import type { Paths } from './paths.ts';

/** Lets a page of any origin read an answer: without credentials, so that no cookie vouches for it. */
export const openHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'content-disposition, x-request-id, traceparent, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset',
};

export const preflightHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'content-type, last-event-id, traceparent, tracestate, x-api-key, x-client-id, x-poll-verifier',
  'access-control-max-age': '7200',
};

/** Whether a browser asks if a page of another origin may send a request. */
export const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/**
 * CORS without credentials for the routes marked `anyOrigin`: modules and integrations run on other origins. All other
 * routes answer their own origin only. What has no route is open as well, so that an old module shows why it was
 * refused. To be called before anything that may refuse.
 */
export function answerAnyOrigin(app: FastifyInstance, paths: Paths): void {
  const withPreflight = new Set<string>();

  app.addHook('onRoute', (route) => {
    if (!route.config?.anyOrigin || withPreflight.has(route.url)) return;
    withPreflight.add(route.url);
    const { anyHost = false } = route.config;
    app.options(route.url, { schema: { hide: true }, config: { anyHost } }, (_request, reply) =>
      reply.code(204).headers(preflightHeaders).send(),
    );
  });

  app.addHook('onRequest', (request, reply, done) => {
    const { is404, routeOptions } = request;
    if (is404 ? paths.isOpen(pathOf(request)) : routeOptions.config.anyOrigin)
      void reply.headers(openHeaders);
    done();
  });
}
