import type { FastifyInstance, FastifyRequest } from 'fastify';
import { setStanding } from '../answers/answer-head.ts';
import type { HeaderList } from '../answers/answer-head.ts';
import { openHeaders } from './any-origin.ts';
import type { HttpSettings } from './http-settings.ts';
import { pathOf } from './paths.ts';
import type { Paths } from './paths.ts';

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

/** Gives each answer the headers that say who may read it, how long, and by which id it is found. To be called before all that may answer. */
export function addStandingHeaders(app: FastifyInstance, { config, paths }: StandingHeaderParts): void {
  const closed = listOf(securityHeaders(config));
  const open = [...closed, ...listOf(openHeaders)];
  app.decorateReply('standing', null as unknown as HeaderList);
  app.addHook('onRequest', (request, reply, done) => {
    reply.standing = [...(isOpen(request, paths) ? open : closed), 'x-request-id', request.id];
    done();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    setStanding(reply);
    done(null, payload);
  });
}

const listOf = (headers: Readonly<Record<string, string>>): HeaderList => Object.entries(headers).flat();

/** What has no route is open as well, so that an old module shows why it was refused. */
function isOpen(request: FastifyRequest, paths: Paths): boolean {
  const { is404, routeOptions } = request;
  return is404 ? paths.isOpen(pathOf(request)) : routeOptions.config.anyOrigin === true;
}
