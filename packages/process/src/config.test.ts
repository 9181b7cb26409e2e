import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { describeConfig, readConfig } from './config.ts';
import type { ConfigError } from './config.ts';

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
