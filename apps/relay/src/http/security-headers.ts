import type { FastifyInstance } from 'fastify';
import type { HttpSettings } from './http-settings.ts';

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

/** To be called before all routes. */
export function sendSecurityHeaders(app: FastifyInstance, settings: SecuritySettings): void {
  const headers = securityHeaders(settings);
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(headers);
    done();
  });
}
