import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Lets a page of any origin read an answer: without credentials, so that no cookie vouches for it. */
export const openHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'content-disposition, x-request-id, traceparent, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, x-ignored-parameters',
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
 * routes answer their own origin only. Browsers ask before they call, and are answered here; `openHeaders` stand on the answers themselves.
 */
export function answerPreflights(app: FastifyInstance): void {
  const withPreflight = new Set<string>();

  app.addHook('onRoute', (route) => {
    if (!route.config?.anyOrigin || withPreflight.has(route.url)) return;
    withPreflight.add(route.url);
    const { anyHost = false } = route.config;
    app.options(route.url, { schema: { hide: true }, config: { anyHost } }, (_request, reply) =>
      reply.code(204).headers(preflightHeaders).send(),
    );
  });
}
