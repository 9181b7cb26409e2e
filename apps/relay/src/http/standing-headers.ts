import type { FastifyInstance, FastifyRequest } from 'fastify';
import { openHeaders } from './any-origin.ts';
import type { HttpSettings } from './http-settings.ts';
import { pathOf } from './paths.ts';
import type { Paths } from './paths.ts';
import { kindOfSecret } from '../credentials/secret.ts';

type SecuritySettings = Pick<HttpSettings, 'publicUrl' | 'hstsMaxAgeS'>;

/**
 * What stands on every answer: its type is as declared, it renders nothing and is framed nowhere, addresses do not
 * leak to other sites, and nobody keeps it. Pages and public documents say their own instead.
 */
export function securityHeaders({
  publicUrl,
  hstsMaxAgeS,
}: SecuritySettings): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    // For this host alone: what its subdomains speak is not the relay's to say.
    ...(publicUrl?.startsWith('https:') ? { 'strict-transport-security': `max-age=${hstsMaxAgeS}` } : {}),
  };
}

export interface StandingHeaderParts {
  config: SecuritySettings;
  paths: Paths;
}

/**
 * Gives each answer the headers that say who may read it, how long, and by which id it is found. What answers may set others over
 * them. To be called before all that may answer.
 */
export function addStandingHeaders(app: FastifyInstance, { config, paths }: StandingHeaderParts): void {
  const closed = securityHeaders(config);
  const open = { ...closed, ...openHeaders };
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(isOpen(request, paths) ? open : closed).header('x-request-id', request.id);
    const theirs = callerRequestId(request);
    if (theirs !== undefined) void reply.header('x-caller-request-id', theirs);
    done();
  });
}

/** What has no route is open as well, so that an old module shows why it was refused. */
function isOpen(request: FastifyRequest, paths: Paths): boolean {
  const { is404, routeOptions } = request;
  return is404 ? paths.isOpen(pathOf(request)) : routeOptions.config.anyOrigin === true;
}

/** What programs and proxies use: UUIDs, ULIDs, base64url, paths with dots and colons. */
const wellFormed = /^[\w.:-]{1,128}$/;

/**
 * The id that the caller gave the request (`x-request-id`), or undefined. It is logged beside ours and echoed as
 * `x-caller-request-id`; another text is dropped, because a log line and a header hold nothing that anybody may write freely.
 */
export function callerRequestId({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const given = headers['x-request-id'];
  if (typeof given !== 'string' || !wellFormed.test(given)) return undefined;
  // A key in the wrong header.
  return kindOfSecret(given) === undefined ? given : undefined;
}
