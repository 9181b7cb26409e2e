import { headerAliases } from '@tabletop-relay/contract';
import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify';

/** Lets a page of any origin read an answer: without credentials, so that no cookie vouches for it. */
export const openHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'content-disposition, www-authenticate, x-request-id, x-caller-request-id, traceparent, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, x-ignored-parameters, idempotency-replayed, x-image-width, x-image-height',
};

/** Read of every call, whatever its route declares: the type of a body, its caller's id for it, and the trace that it belongs to. */
const readOfAll = ['content-type', 'x-request-id', 'traceparent', 'tracestate'];

/** Whether a browser asks if a page of another origin may send a request. */
export const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/** What a preflight is answered with. To be called when all routes are known. */
export type PreflightHeaders = () => Readonly<Record<string, string>>;

/**
 * CORS without credentials for the routes marked `anyOrigin`: modules and integrations run on other origins. All other
 * routes answer their own origin only. Browsers ask before they call, and are answered here with every header that such a route
 * declares to read; `openHeaders` stand on the answers themselves.
 */
export function answerPreflights(app: FastifyInstance): PreflightHeaders {
  const withPreflight = new Set<string>();
  const read = new Set(readOfAll);
  let headers: Readonly<Record<string, string>> | undefined;
  const preflightHeaders = () => (headers ??= headersFor(read));

  app.addHook('onRoute', (route) => {
    if (!route.config?.anyOrigin) return;
    for (const name of headersReadBy(route.config.openApi ?? route.schema)) read.add(name);
    if (withPreflight.has(route.url)) return;
    withPreflight.add(route.url);
    const { anyHost = false } = route.config;
    app.options(route.url, { schema: { hide: true }, config: { anyHost } }, (_request, reply) =>
      reply.code(204).headers(preflightHeaders()).send(),
    );
  });
  return preflightHeaders;
}

function headersReadBy({ headers, security = [] }: FastifySchema = {}): string[] {
  const { properties = {} } = (headers ?? {}) as { properties?: object };
  const takesKey = security.some((one) => 'apiKey' in one);
  return [...Object.keys(properties), ...(takesKey ? ['x-api-key'] : [])];
}

function headersFor(read: ReadonlySet<string>): Readonly<Record<string, string>> {
  const aliases = headerAliases.filter(([, ours]) => read.has(ours)).map(([theirs]) => theirs);
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': [...read, ...aliases].toSorted().join(', '),
    'access-control-max-age': '7200',
  };
}
