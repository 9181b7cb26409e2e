import { createAccountClient } from '@tabletop-relay/sdk';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readStandaloneConfig } from '../src/config.ts';
import { freePort, ownFolder, ownRepository, start } from './started.ts';

const secret = randomBytes(32).toString('base64');

test('a second start and a taken port are told in one line, and pages are built once; then it stops', async () => {
  const { repository, builds } = ownRepository();
  const dataDir = path.join(ownFolder(), 'data');
  const env = { DATA_DIR: dataDir, PORT: await freePort() };
  const first = start({ ...env, LOG_LEVEL: 'info' }, repository);
  await first.saw('Tabletop Relay is running.');
  const logged = first
    .output()
    .split('\n')
    .filter((line) => line.includes('"level":'));
  expect(logged.length).toBeGreaterThan(0);
  expect(logged.filter((line) => !line.startsWith('{'))).toEqual([]);
  expect(logged.filter((line) => !/"instance":".+?","version":"/.test(line))).toEqual([]);
  expect(first.output()).toMatch(/Building the pages … \d+\.\d s\n/);
  expect(first.output()).toMatch(/Starting the database and the relay … \d+\.\d s\n/);

  writeFileSync(path.join(repository, 'apps/dashboard/page.html'), '<p>two</p>');
  const second = start({ ...env, PORT: '0' }, repository);
  const elsewhere = start({ ...env, DATA_DIR: ownFolder() }, repository);
  expect(await second.exited).toBe(1);
  expect(second.output().trim()).toBe(
    `Tabletop Relay did not start: it runs in ${dataDir} already, as process ${first.pid} at http://localhost:${env.PORT}/dashboard. Stop that one with Ctrl-C, or give this one a DATA_DIR, a PORT and a DEMO_PORT of its own.`,
  );
  expect(await elsewhere.exited).toBe(1);
  expect(elsewhere.output().trim()).toBe(
    `Tabletop Relay did not start: port ${env.PORT} is in use; set PORT to another`,
  );
  expect(builds()).toBe(1);
  first.kill('SIGINT');
  expect(await first.exited).toBe(0);
  expect(first.output().replaceAll(/^\{.*\}\n/gm, '')).toMatch(/\nStopping …\nStopped\.\n$/);
  expect(first.output()).not.toContain('Warning');
});

test('a start after a kill comes up, and builds nothing again', async () => {
  const { repository, builds } = ownRepository();
  const env = { DATA_DIR: ownFolder(), PORT: await freePort() };
  const killed = start(env, repository);
  await killed.saw('Starting the database and the relay …');
  killed.kill('SIGKILL');
  expect(await killed.exited).toBe('SIGKILL');
  const next = start(env, repository);
  await next.saw('Tabletop Relay is running.');
  expect(next.output()).not.toContain('Building');
  expect(builds()).toBe(1);
});

test('a start that is stopped while it builds ends as any other', async () => {
  const { repository } = ownRepository();
  writeFileSync(
    path.join(repository, 'package.json'),
    JSON.stringify({ scripts: { build: 'touch building && sleep 60' } }),
  );
  const started = start({ DATA_DIR: ownFolder(), PORT: '0' }, repository);
  await started.saw('Building the pages …');
  started.kill('SIGINT');
  expect(await started.exited).toBe(0);
  expect(started.output()).toMatch(/\nStopped\.\n$/);
});

const opened = ['127.0.0.0/8', '::1/128'];
const PUBLIC_URL = 'https://relay.example';

test.each([
  ['as it is started first', {}, { outboundAllow: opened, demo: true }],
  ['once it is public', { PUBLIC_URL }, { outboundAllow: [], demo: false }],
  [
    'as the operator wants it',
    { PUBLIC_URL, OUTBOUND_ALLOW: '10.0.0.0/8', DEMO: 'on' },
    { outboundAllow: ['10.0.0.0/8'], demo: true },
  ],
  ['closed', { OUTBOUND_ALLOW: '192.0.2.1', DEMO: 'off' }, { outboundAllow: ['192.0.2.1'], demo: false }],
])('what a start opens, %s', (_name, env, expected) => {
  expect(readStandaloneConfig(env)).toMatchObject(expected);
});

test('a range that is none is told', () => {
  expect(() => readStandaloneConfig({ OUTBOUND_ALLOW: 'home' })).toThrow('OUTBOUND_ALLOW must be addresses');
});

test('once PUBLIC_URL is set, loopback is closed to webhooks, and no account is there whose sign-in was printed', async () => {
  const { repository } = ownRepository();
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const started = start({ DATA_DIR: ownFolder(), PORT: port, PUBLIC_URL: url, DEMO: '' }, repository);
  await started.saw('Tabletop Relay is running.');
  expect(started.output()).not.toMatch(/Demo world|Sign in|API key/);
  const status = (await (await fetch(`${url}/api/status`)).json()) as { demoWorld: unknown };
  expect(status.demoWorld).toBeNull();
  const stranger = { email: 'stranger@example.org', password: 'a password that is long enough' };
  const { sessionToken } = await createAccountClient({ url }).register(stranger);
  const response = await fetch(`${url}/auth/notification-settings`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${sessionToken}` },
    body: JSON.stringify({
      events: {
        connect: true,
        disconnect: true,
        metadataMismatch: true,
        duplicateRejected: true,
        security: true,
      },
      webhooks: [{ kind: 'standard', url: `http://127.0.0.1:${port}/` }],
      email: { enabled: false },
      batchSeconds: 30,
    }),
  });
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { errors: [{ field: 'webhooks[0].url', message: expect.stringContaining('not public') as string }] },
  ]);
});

test.each<[what: string, env: Record<string, string>, told: RegExp]>([
  ['a wrong setting', { PORT: 'many' }, /^wrong settings:\n {2}PORT must be integer, not "many"$/],
  [
    'a data folder that is a file',
    { DATA_DIR: path.join(import.meta.dirname, 'start.int.test.ts') },
    /^what is there is no folder \(.*start\.int\.test\.ts\)$/,
  ],
  [
    'a Postgres that does not answer',
    { DATABASE_URL: 'postgres://relay:hush@127.0.0.1:1/relay', RELAY_SECRET: secret },
    /^Postgres: connect ECONNREFUSED 127\.0\.0\.1:1\. Nothing listens there: start Postgres, or correct host and port in DATABASE_URL\.$/,
  ],
  [
    'a Redis that does not answer',
    { REDIS_URL: 'redis://:hush@127.0.0.1:1', RELAY_SECRET: secret },
    /^REDIS_URL: connect ECONNREFUSED 127\.0\.0\.1:1\. Nothing listens there: start Redis, or correct host and port in REDIS_URL\.$/,
  ],
  [
    'an address of another machine',
    { HOST: '192.0.2.1', PUBLIC_URL: 'https://relay.example' },
    /^192\.0\.2\.1 is no address of this machine; correct HOST$/,
  ],
])('%s is told in words, before anything is built', async (_what, env, told) => {
  const { repository, builds } = ownRepository();
  const started = start({ DATA_DIR: path.join(ownFolder(), 'data'), PORT: '0', ...env }, repository);
  expect(await started.exited).toBe(1);
  expect(started.output().trim().replace('Tabletop Relay did not start: ', '')).toMatch(told);
  expect(builds()).toBe(0);
});
