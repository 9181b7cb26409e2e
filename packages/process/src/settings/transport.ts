import { Type } from 'typebox';
import { isLoopbackHost } from './loopback.ts';

/** For every process that reaches a store, a mail server or a collector. */
export const transportSettings = {
  requireTls: Type.Boolean({
    default: false,
    description:
      'Whether a Postgres, Redis, SMTP server or trace collector on another machine must be reached over TLS with a verified certificate. off: each start warns of those that are not.',
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
  otelExporterOtlpEndpoint?: string;
}

/** Returns the problems of the settings; there are none unless REQUIRE_TLS is on. */
export function checkTransport(config: TransportConfig): string[] {
  if (!config.requireTls) return [];
  return namesOfOpen(config).map(
    (name) => `${name} names another machine without verified TLS, and REQUIRE_TLS is on`,
  );
}

/** Returns the warnings for each start; there are none if REQUIRE_TLS is on. */
export function warnOfTransport(config: TransportConfig): string[] {
  const names = config.requireTls ? [] : namesOfOpen(config);
  if (names.length === 0) return [];
  return [
    `${names.join(', ')}: another machine without verified TLS: an attacker between the machines can read and change the traffic. ` +
      'In a private network this may be intended; REQUIRE_TLS=on refuses it',
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
    ['OTEL_EXPORTER_OTLP_ENDPOINT', config.otelExporterOtlpEndpoint],
  ];
  return urls.filter(([, url]) => url !== undefined && isOpenOnTheWay(url)).map(([name]) => name);
}

/**
 * Tells whether traffic to a server crosses a network unprotected: without verified TLS, and neither to a loopback
 * host nor through a Unix socket. An address that cannot be parsed counts as unprotected.
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
  if (protocol === 'rediss:' || protocol === 'https:') return true;
  if (protocol === 'smtp:' || protocol === 'smtps:') {
    const isVerified = searchParams.get('tls.rejectUnauthorized') !== 'false';
    return isVerified && (protocol === 'smtps:' || searchParams.get('requireTLS') === 'true');
  }
  return /^postgres(ql)?:$/.test(protocol) && isVerifiedByPg(searchParams);
}

/**
 * pg 8 treats `require` and `verify-ca` as `verify-full`, unless the URL asks for libpq's meaning. pg 8 treats `prefer`
 * the same, but it does not count here, because by its definition it allows a connection without TLS.
 */
function isVerifiedByPg(parameters: URLSearchParams): boolean {
  const mode = parameters.get('sslmode');
  if (mode === null) return ['true', '1'].includes(parameters.get('ssl') ?? '');
  const asLibpq = parameters.get('uselibpqcompat') === 'true';
  return mode === 'verify-full' || mode === 'verify-ca' || (mode === 'require' && !asLibpq);
}
