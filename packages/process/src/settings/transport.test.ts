import { expect, it } from 'vitest';
import { checkTransport, isOpenOnTheWay, warnOfTransport } from './transport.ts';

it.each([
  'postgres://u:p@db.internal/relay',
  'postgres://u:p@10.0.0.5:5432/relay?sslmode=disable',
  'postgres://u:p@db.internal/relay?sslmode=prefer',
  'postgres://u:p@db.internal/relay?sslmode=no-verify',
  'postgres://u:p@db.internal/relay?sslmode=require&uselibpqcompat=true',
  'postgresql://u:p@localhost/relay?host=db.internal',
  'redis://:p@redis.internal:6379',
  'smtp://u:p@mail.example',
  'smtp://u:p@mail.example:587?requireTLS=false',
  'smtps://u:p@mail.example?tls.rejectUnauthorized=false',
  'smtp://u:p@mail.example?requireTLS=true&tls.rejectUnauthorized=false',
  'http://collector.internal:4318',
  'no url at all',
])('%s is open on the way', (url) => {
  expect(isOpenOnTheWay(url)).toBe(true);
});

it.each([
  'postgres://u:p@db.internal/relay?sslmode=verify-full',
  'postgres://u:p@db.internal/relay?sslmode=verify-ca',
  'postgres://u:p@db.internal/relay?sslmode=require',
  'postgres://u:p@db.internal/relay?ssl=true',
  'postgres://u:p@localhost/relay',
  'postgres://u:p@127.0.0.1:5433/relay?sslmode=disable',
  'postgres://u:p@[::1]/relay',
  'postgres://u@/relay?host=%2Frun%2Fpostgresql',
  'rediss://:p@redis.internal:6379',
  'redis://localhost:6379',
  'smtps://u:p@mail.example',
  'smtp://u:p@mail.example:587?requireTLS=true',
  'smtp://localhost:1025',
  'https://collector.internal:4318',
  'http://127.0.0.1:4318',
])('%s is guarded, or leaves the machine nowhere', (url) => {
  expect(isOpenOnTheWay(url)).toBe(false);
});

const open = {
  databaseUrl: 'postgres://u:secret@db.internal/relay',
  migrateDatabaseUrl: 'postgres://owner:secret@db.internal/relay',
  redisUrl: ['rediss://a', 'redis://:secret@b'],
  limitsRedisUrl: 'redis://localhost',
  jobsRedisUrl: 'redis://jobs',
  smtpUrl: 'smtp://mail.example',
  otelExporterOtlpEndpoint: 'http://collector',
};

it('an open way is warned of, or refused where TLS is required, by its setting and without its value', () => {
  const names = [
    'DATABASE_URL',
    'MIGRATE_DATABASE_URL',
    'REDIS_URL',
    'JOBS_REDIS_URL',
    'SMTP_URL',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
  ];
  const [warning = '', ...others] = warnOfTransport({ ...open, requireTls: false });
  expect(others).toEqual([]);
  expect(warning).toMatch(new RegExp(`^${names.join(', ')}: another machine without verified TLS`));
  const problems = checkTransport({ ...open, requireTls: true });
  expect(problems.map((problem) => problem.split(' ')[0])).toEqual(names);
  expect(warning + problems.join()).not.toContain('secret');
  expect(checkTransport({ ...open, requireTls: false })).toEqual([]);
  expect(warnOfTransport({ ...open, requireTls: true })).toEqual([]);
});
