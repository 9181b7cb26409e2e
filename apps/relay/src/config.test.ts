import { expect, it } from 'vitest';
import { describeConfig, readConfig, removedSettings } from '@tabletop-relay/process';
import { checkRelayConfig, RelayConfigSchema, warnOfRelayConfig } from './config.ts';
import { longestStopMs } from './drain.ts';

it.each([
  ['http://relay.example', 1],
  ['http://192.168.0.7:3010', 1],
  ['http://localhost.example', 1],
  ['http://localhost:3010', 0],
  ['http://127.0.0.1:3010', 0],
  ['http://[::1]:3010', 0],
  ['https://relay.example', 0],
  [undefined, 0],
])('the public address %s gets %i warnings', (publicUrl, warnings) => {
  expect(warnOfRelayConfig({ requireTls: false, ...(publicUrl && { publicUrl }) })).toHaveLength(warnings);
});

const start = (env: Record<string, string>) => readConfig(RelayConfigSchema, env, checkRelayConfig);

it('each start warns of a removed setting that is set, and no setting of today is among the removed', () => {
  const [warning] = warnOfRelayConfig(start({ AUTH_TIMEOUT_MS: '5000' }));
  expect(warning).toMatch(/^AUTH_TIMEOUT_MS: set, and not read since/);
  const names = describeConfig(RelayConfigSchema).map(({ name }) => name);
  expect(
    Object.values(removedSettings)
      .flat()
      .filter((name) => names.includes(name)),
  ).toEqual([]);
});

it.each([
  ['PUBLIC_URL', 'https://bad host'],
  ['PUBLIC_URL', 'https://relay.example:99999'],
  ['PUBLIC_URL', 'https://me:secret@relay.example'],
  ['PUBLIC_URL', 'https://relay.example?page'],
  ['PUBLIC_URL', 'https://relay.example#page'],
  ['TRUSTED_PROXIES', 'bogus'],
  ['TRUSTED_PROXIES', '10.0.0.0/8,10.0.0.0/33'],
  ['TRUSTED_PROXIES', '0.0.0.0/0'],
  ['TRUSTED_PROXIES', '::/0'],
  ['TRUSTED_PROXIES', '0.0.0.0/00'],
  ['OUTBOUND_ALLOW', '10.0.0.0/8,0.0.0.0/0'],
  ['LIMIT_LOGIN', '0 per 15 min'],
  ['LIMIT_LOGIN', '5 per 0 s'],
  ['LIMIT_LOGIN', '5 per 9999999999 h'],
])('%s=%s is refused at the start, by its name', (name, value) => {
  expect(() => start({ [name]: value })).toThrow(new RegExp(`wrong settings:\n  ${name} must .*, not "`));
});

it('no time is longer than a timer of Node can wait, nor are all of a stop together', () => {
  const times = describeConfig(RelayConfigSchema).filter(({ unit }) => unit === 'ms');
  expect(times.length).toBeGreaterThan(10);
  for (const { name } of times) {
    expect(() => start({ [name]: '34560000001' })).toThrow(
      new RegExp(`wrong settings:\n  ${name} must be <= `),
    );
  }
  const week = '604800000';
  const longest = start({
    DRAIN_WAIT_MS: week,
    DRAIN_SPREAD_MS: week,
    DRAIN_GRACE_MS: week,
    CALL_TIMEOUT_MS: '3600000',
  });
  expect(longestStopMs(longest)).toBeLessThan(2 ** 31);
});

it.each([
  ['PUBLIC_URL', 'https://Relay.Example:8443'],
  ['PUBLIC_URL', 'http://[::1]:3010'],
  ['TRUSTED_PROXIES', '127.0.0.1,10.0.0.0/8,::1,fd00::/8'],
  ['LIMIT_LOGIN', '10 per 1 min'],
])('%s=%s is taken', (name, value) => {
  expect(() => start({ [name]: value })).not.toThrow();
});

const production = {
  DATABASE_URL: 'postgres://relay_app@/relay?host=/run/postgresql',
  RELAY_SECRET: 'Tq8vJ0m3ZpXc6yLw1RkUe9hBnGs4fADo',
};

it.each([
  'replace-me-with-openssl-rand-base64-32',
  'Change-me Change-me Change-me Change-me',
  'changeme-Tq8vJ0m3ZpXc6yLw1RkUe9h',
  'a'.repeat(32),
  'abcdefg'.repeat(5),
])('RELAY_SECRET=%s is refused at the start, and not repeated', (secret) => {
  expect(() => start(production)).not.toThrow();
  expect(() => start({ ...production, RELAY_SECRET: secret })).toThrow(
    /^wrong settings:\n {2}RELAY_SECRET is the sample of a page, or as easy to guess/,
  );
});

it('with REQUIRE_TLS=on a store on another machine without TLS is refused at the start', () => {
  const open = { ...production, REDIS_URL: 'rediss://one.internal,redis://two.internal' };
  expect(() => start(open)).not.toThrow();
  expect(() => start({ ...open, REQUIRE_TLS: 'on' })).toThrow(
    /REDIS_URL names another machine without verified TLS/,
  );
  expect(() => start({ ...production, REQUIRE_TLS: 'on' })).not.toThrow();
});

it.each([
  [{ SMTP_URL: 'smtp://mail.internal' }, /PUBLIC_URL is not set and SMTP_URL is/],
  [{ HOST: '0.0.0.0' }, /PUBLIC_URL is not set and HOST is 0\.0\.0\.0/],
  [{ DATABASE_URL: production.DATABASE_URL }, /RELAY_SECRET is not set/],
])('with %j alone a part is missing', (env: Record<string, string>, missing) => {
  expect(() => start(env)).toThrow(missing);
  expect(() => start({ ...production, PUBLIC_URL: 'https://relay.example', ...env })).not.toThrow();
});

it.each(['Tq8v-change-me-J0m3ZpXc6yLw1RkUe9h', 'abcdefgh'.repeat(4)])(
  'RELAY_SECRET=%s is taken',
  (secret) => {
    expect(() => start({ ...production, RELAY_SECRET: secret })).not.toThrow();
  },
);
