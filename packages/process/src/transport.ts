import { Type } from 'typebox';
import { isLoopbackHost } from './loopback.ts';

/** For the schema of each process that has stores or a mail server. */
export const transportSettings = {
  requireTls: Type.Boolean({
    default: false,
    description:
      'Whether a Postgres, Redis or SMTP server on another machine must be reached over TLS with a verified certificate. off: each start warns of those that are not.',
  }),
};

export interface TransportConfig {
  requireTls: boolean;
  databaseUrl?: string;
  migrateDatabaseUrl?: string;
  redisUrl?: readonly string[];
  limitsRedisUrl?: string;
  jobsRedisUrl?: string;
  smtpUrl?: string;
}

/** With REQUIRE_TLS=on: what makes the settings wrong. */
export function checkTransport(config: TransportConfig): string[] {
  if (!config.requireTls) return [];
  return namesOfOpen(config).map(
    (name) => `${name} names another machine without verified TLS, and REQUIRE_TLS is on`,
  );
}

/** Without: what each start says. */
export function warnOfTransport(config: TransportConfig): string[] {
  const names = config.requireTls ? [] : namesOfOpen(config);
  if (names.length === 0) return [];
  return [
    `${names.join(', ')}: another machine without verified TLS: whoever is on the way can read and change what is sent. ` +
      'In a private network that may be meant; REQUIRE_TLS=on refuses it',
  ];
}

function namesOfOpen(config: TransportConfig): string[] {
  const urls: [name: string, url: string | undefined][] = [
    ['DATABASE_URL', config.databaseUrl],
    ['MIGRATE_DATABASE_URL', config.migrateDatabaseUrl],
    ['REDIS_URL', config.redisUrl?.find(isOpenOnTheWay)],
    ['LIMITS_REDIS_URL', config.limitsRedisUrl],
    ['JOBS_REDIS_URL', config.jobsRedisUrl],
    ['SMTP_URL', config.smtpUrl],
  ];
  return urls.filter(([, url]) => url !== undefined && isOpenOnTheWay(url)).map(([name]) => name);
}

/**
 * Whether the way to a server leads over a network with nothing that guards it: no verified TLS, and neither a
 * loopback host nor a Unix socket. What cannot be read counts as open.
 */
export function isOpenOnTheWay(text: string): boolean {
  // Postgres URLs may name no host: `postgres://user@/database?host=/run/postgresql`.
  const url = URL.parse(text) ?? URL.parse(text.replace('@/', '@localhost/'));
  if (url === null) return true;
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname);
  if (host === '' || host.startsWith('/') || isLoopbackHost(host)) return false;
  return !hasVerifiedTls(url);
}

function hasVerifiedTls({ protocol, searchParams }: URL): boolean {
  if (protocol === 'rediss:') return true;
  if (protocol === 'smtp:' || protocol === 'smtps:') {
    const isVerified = searchParams.get('tls.rejectUnauthorized') !== 'false';
    return isVerified && (protocol === 'smtps:' || searchParams.get('requireTLS') === 'true');
  }
  return /^postgres(ql)?:$/.test(protocol) && isVerifiedByPg(searchParams);
}

/**
 * pg 8 takes `require` and `verify-ca` for `verify-full`, unless the URL asks for libpq's meaning. `prefer` does not
 * count although pg 8 takes it for the same: by its meaning it may go without.
 */
function isVerifiedByPg(parameters: URLSearchParams): boolean {
  const mode = parameters.get('sslmode');
  if (mode === null) return ['true', '1'].includes(parameters.get('ssl') ?? '');
  const asLibpq = parameters.get('uselibpqcompat') === 'true';
  return mode === 'verify-full' || mode === 'verify-ca' || (mode === 'require' && !asLibpq);
}
