import type { FastifyInstance } from 'fastify';

/**
 * CORS without credentials for the routes marked `anyOrigin`: modules and integrations run on other origins,
 * and no cookie vouches for them. All other routes answer their own origin only. To be called before them.
 */
export function answerAnyOrigin(app: FastifyInstance): void {
  const withPreflight = new Set<string>();

  app.addHook('onRoute', (route) => {
    if (!route.config?.anyOrigin || withPreflight.has(route.url)) return;
    withPreflight.add(route.url);
    const { anyHost = false } = route.config;
    app.options(route.url, { schema: { hide: true }, config: { anyHost } }, (_request, reply) =>
      reply
        .code(204)
        .headers({
          'access-control-allow-origin': '*',
          'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
          'access-control-allow-headers':
            'content-type, last-event-id, x-api-key, x-client-id, x-poll-verifier',
          'access-control-max-age': '7200',
        })
        .send(),
    );
  });

  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.anyOrigin) {
      void reply.header('access-control-allow-origin', '*');
      void reply.header('access-control-expose-headers', exposed);
    }
    done();
  });
}

const exposed =
  'content-disposition, x-request-id, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset';
