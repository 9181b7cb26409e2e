import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Type } from 'typebox';
import { afterAll, expect, test, vi } from 'vitest';
import { describeConfig, readConfig } from './config.ts';
import type { ConfigError } from './config.ts';
import { secrets } from './setting.ts';

const schema = Type.Object({
  port: Type.Integer({ default: 3010, minimum: 0, maximum: 65_535, description: 'Where HTTP is served.' }),
  drainMs: Type.Integer({ default: 10_000, minimum: 0, unit: 'ms', description: 'How long.' }),
  registration: Type.Enum(['open', 'closed'], { default: 'open', description: 'Who may register.' }),
  demo: Type.Boolean({ default: true, description: 'A demo account.' }),
  trustedProxies: Type.Array(Type.String(), { default: [], description: 'CIDRs.' }),
  publicUrl: Type.Optional(Type.String({ format: 'url', description: 'Where people reach it.' })),
  relaySecret: Type.String({ minLength: 32, secret: true, description: 'HMACs and seals.' }),
});
const relaySecret = 's'.repeat(32);

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(schema, env);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
}

test('each setting comes from its variable, else from its default; an empty one is unset', () => {
  const env = {
    RELAY_SECRET: relaySecret,
    PORT: '0',
    DEMO: 'off',
    TRUSTED_PROXIES: '10.0.0.0/8, ::1',
    PUBLIC_URL: '',
  };
  expect(readConfig(schema, env)).toEqual({
    port: 0,
    drainMs: 10_000,
    registration: 'open',
    demo: false,
    trustedProxies: ['10.0.0.0/8', '::1'],
    relaySecret,
  });
});

test('all problems are told at once', () => {
  const env = { PORT: '99999', DRAIN_MS: 'soon', REGISTRATION: 'some', DEMO: 'maybe', PUBLIC_URL: 'relay' };
  expect(problemsOf(env)).toEqual([
    'PORT must be <= 65535, not "99999"',
    'DRAIN_MS must be integer (in ms), not "soon"',
    'REGISTRATION must be one of open, closed, not "some"',
    'DEMO must be boolean, not "maybe"',
    'PUBLIC_URL must match format "url", not "relay"',
    'RELAY_SECRET must be set',
  ]);
});

test("a secret's value is in no message", () => {
  expect(problemsOf({ RELAY_SECRET: 'short-secret' })).toEqual([
    'RELAY_SECRET must not have fewer than 32 characters',
  ]);
});

test('what is wrong between settings is told like what is wrong with one', () => {
  const check = () => ['SMTP_URL needs PUBLIC_URL'];
  expect(() => readConfig(schema, { RELAY_SECRET: relaySecret }, check)).toThrow('SMTP_URL needs PUBLIC_URL');
});

const folder = mkdtempSync(path.join(os.tmpdir(), 'relay-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

function secretFile(text: string): string {
  const file = path.join(folder, String(Math.random()));
  writeFileSync(file, text);
  return file;
}

const stores = Type.Object({
  databaseUrl: Type.String({ secret: true }),
  redisUrl: Type.Array(Type.String(), { secret: true, default: [] }),
  port: Type.Integer({ default: 1 }),
});

test('a secret may stand in a file; it is told as it is by now, and as it last was while the file is away', () => {
  const [databaseFile, redisFile] = [secretFile('postgres://one\n'), secretFile('redis://a, redis://b\r\n')];
  const { reread, ...config } = readConfig(stores, {
    DATABASE_URL_FILE: databaseFile,
    REDIS_URL_FILE: redisFile,
    PORT_FILE: databaseFile,
  });
  expect(config).toEqual({ databaseUrl: 'postgres://one', redisUrl: ['redis://a', 'redis://b'], port: 1 });
  writeFileSync(databaseFile, 'postgres://two\n');
  writeFileSync(redisFile, 'redis://a,redis://c\n');
  expect(['postgres://one', 'redis://a', 'redis://b', 'redis://other'].map((url) => reread?.(url))).toEqual([
    'postgres://two',
    'redis://a',
    'redis://c',
    'redis://other',
  ]);
  rmSync(databaseFile);
  expect(reread?.('postgres://one')).toBe('postgres://two');
});

test('a secret that is given twice, or whose file is not there, is told, and its value is not', () => {
  const env = {
    DATABASE_URL: 'postgres://hush',
    DATABASE_URL_FILE: secretFile('hush'),
    REDIS_URL_FILE: '/none',
  };
  expect(() => readConfig(stores, env)).toThrow(
    /^wrong settings:\n {2}DATABASE_URL and DATABASE_URL_FILE are both set: keep one of them\n {2}REDIS_URL_FILE cannot be read \(ENOENT\)$/,
  );
});

test('a default given out is the reader’s own', () => {
  readConfig(schema, { RELAY_SECRET: relaySecret }).trustedProxies.push('0.0.0.0/0');
  expect(readConfig(schema, { RELAY_SECRET: relaySecret }).trustedProxies).toEqual([]);
});

test('every setting has its row', () => {
  const rows = describeConfig(schema);
  expect(rows.map((row) => row.name)).toEqual([
    'PORT',
    'DRAIN_MS',
    'REGISTRATION',
    'DEMO',
    'TRUSTED_PROXIES',
    'PUBLIC_URL',
    'RELAY_SECRET',
  ]);
  expect(rows.filter((row) => row.required).map((row) => row.name)).toEqual(['RELAY_SECRET']);
  expect(rows[1]).toEqual({
    name: 'DRAIN_MS',
    description: 'How long.',
    type: 'integer',
    default: '10000',
    unit: 'ms',
    required: false,
    secret: false,
  });
});

test('the values of a list stand between commas, or on lines of their own as a file has them', () => {
  const list = Type.Object({ proxies: Type.Array(Type.String()) });
  expect(readConfig(list, { PROXIES: 'a, b\nc\n' })).toEqual({ proxies: ['a', 'b', 'c'] });
});

test('of several values the wrong one is told, and what cut them: a secret with a comma in it is two', () => {
  const list = Type.Object({ relaySecret: secrets('Seals.', 32) });
  const read = (text: string) => () => readConfig(list, { RELAY_SECRET: text });
  expect(read(`${relaySecret},${'t'.repeat(32)}`)).not.toThrow();
  expect(read(`${relaySecret},rest`)).toThrow(
    /RELAY_SECRET must not have fewer than 32 characters \(value 2 of 2 values, for a comma or a line end separates them\)$/,
  );
  expect(read(Array.from({ length: 9 }, () => relaySecret).join())).toThrow(/\(it has 9 values, for a comma/);
  expect(read('short')).toThrow(/RELAY_SECRET must not have fewer than 32 characters$/);
});

test('settings are checked against each other only where each is right', () => {
  const check = vi.fn<() => string[]>(() => ['PORT and DEMO exclude each other']);
  expect(() => readConfig(schema, { PORT: 'x', RELAY_SECRET: relaySecret }, check)).toThrow('PORT must be');
  expect(check).not.toHaveBeenCalled();
  expect(() => readConfig(schema, { RELAY_SECRET: relaySecret }, check)).toThrow('exclude each other');
});

test('an empty value is not shown as what was wrong', () => {
  const required = Type.Object({ name: Type.String({ description: 'A name.' }) });
  expect(() => readConfig(required, { NAME: '' })).toThrow(/NAME must be set$/);
});

test('a description has what an operator would write, and no unit or default where there is none', () => {
  const described = Type.Object({
    list: Type.Array(Type.String(), { default: ['a', 'b'], description: 'Some.' }),
    wait: Type.Integer({ default: 5, unit: 'ms', description: 'How long.' }),
    key: Type.String({ secret: true, description: 'A key.' }),
  });
  // An `undefined` is printed, too.
  expect(describeConfig(described)).toStrictEqual([
    { name: 'LIST', description: 'Some.', type: 'array', default: 'a,b', required: false, secret: false },
    {
      name: 'WAIT',
      description: 'How long.',
      type: 'integer',
      default: '5',
      unit: 'ms',
      required: false,
      secret: false,
    },
    { name: 'KEY', description: 'A key.', type: 'string', required: true, secret: true },
  ]);
});

test('settings that were removed are no problem, and a line names those that are set and their release', () => {
  const read = (env: Record<string, string>) => readConfig(schema, { RELAY_SECRET: relaySecret, ...env });
  const given = read({ AUTH_TIMEOUT_MS: '5000', FRAME_LOG_LINES: '1', LARGE_FRAME_BYTES: ' ' });
  expect(given.removed).toEqual([
    expect.stringMatching(/^AUTH_TIMEOUT_MS, FRAME_LOG_LINES: set, and not read since 0\.2\.0\. .*CHANGELOG/),
  ]);
  expect(read({})).not.toHaveProperty('removed');
});

test('a schema of nothing but optional settings needs none', () => {
  const optional = Type.Object({ url: Type.Optional(Type.String({ description: 'Where.' })) });
  expect(readConfig(optional, {})).toEqual({});
  expect(describeConfig(optional)).toMatchObject([{ required: false }]);
});
