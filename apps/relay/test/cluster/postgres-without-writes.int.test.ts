import {
  createTestDatabase,
  execute,
  fillDisk,
  findFreePort,
  setReadOnly,
  waitFor,
} from '@tabletop-relay/testing';
import type { FakeModule, TestDatabase } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Answer, TestAccount } from '@tabletop-relay/testing/scenes';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { startRelayProcess } from '../process.ts';

let database: TestDatabase;
let cluster: TestInstances;
let url: string;
let account: TestAccount;
let key: string;
let module: FakeModule;

beforeAll(async () => {
  database = await createTestDatabase();
  cluster = await startInstances({ databaseUrl: database.url });
  ({ url } = cluster.instances[0]);
  account = await createAccount(url);
  key = await account.createKey();
  module = await connectModule(url, await account.pair(), () => ({ data: {} }));
}, 60_000);
afterAll(async () => {
  await module.close();
  await cluster.stop();
  await database.drop();
});

const health = async () => {
  const { status, body } = await call(url, 'GET', '/api/health');
  return [status, (body['checks'] as { postgres: string }).postgres];
};
const statusOf = async (asked: Promise<Answer>) => (await asked).status;
const players = (apiKey: string) =>
  statusOf(call(url, 'GET', '/players', { headers: { 'x-api-key': apiKey } }));
const newcomer = { email: 'somebody@example.org', password: 'a password that is long enough' };

/** What changes an account, or makes one. */
const changes: [string, () => Promise<Answer>][] = [
  ['registering', () => call(url, 'POST', '/auth/register', { body: newcomer })],
  [
    'signing in',
    () => call(url, 'POST', '/auth/login', { body: { email: account.email, password: account.password } }),
  ],
  ['a new key', () => account.as('POST', '/auth/api-keys', { name: 'n', scopes: ['entity:read'] })],
  ['a pairing code', () => account.as('POST', '/auth/pairing-codes')],
];

async function expectRefused(): Promise<void> {
  for (const [name, change] of changes) {
    const { status, headers, body } = await change();
    expect([name, status, body]).toEqual([
      name,
      503,
      expect.objectContaining({
        code: 'unavailable',
        retryable: true,
        detail: 'Nothing can be changed at the moment: the database takes no writes. Try again later.',
      }),
    ]);
    expect(headers.get('retry-after')).toBe('10');
  }
}

it('a Postgres that is read-only refuses changes by a declared 503, and everything that reads goes on', async () => {
  const uncached = await account.createKey();
  // The use of a session is written down when the last one was a while ago.
  await sql`update sessions set last_used_at = now() - interval '1 hour'`.execute(cluster.db);
  expect(await health()).toEqual([200, 'up']);
  await setReadOnly(database.ownerUrl, true);
  await waitFor(async () => (await health())[1] !== 'up');
  await expect.poll(health).toEqual([503, 'read_only']);
  await expectRefused();
  // The answer is the same for addresses that have no account.
  expect(
    await statusOf(call(url, 'POST', '/auth/forgot-password', { body: { email: newcomer.email } })),
  ).toBe(503);
  expect(await players(key)).toBe(200);
  expect(await players(uncached)).toBe(200);
  expect(await statusOf(account.as('GET', '/auth/api-keys'))).toBe(200);
  // As with a store that is away: a balancer that lost every instance would end the calls that go on.
  expect(await statusOf(call(url, 'GET', '/readyz'))).toBe(200);
  expect(await cluster.instances[0].registry.metrics()).toContain('relay_postgres_up 0');

  await setReadOnly(database.ownerUrl, false);
  // Connections that were opened meanwhile stay read-only; each is given up when it refuses.
  await expect.poll(health, { timeout: 10_000 }).toEqual([200, 'up']);
  await expect.poll(() => statusOf(account.as('POST', '/auth/pairing-codes')), { timeout: 10_000 }).toBe(200);
  expect(await cluster.instances[0].registry.metrics()).toContain('relay_postgres_up 1');
}, 60_000);

it('a Postgres whose disk is full is told by what it refuses, and what waited is written when it has room', async () => {
  const pairing = await account.pair();
  const tables = ['accounts', 'sessions', 'api_keys', 'pairing_codes', 'audit_log', 'connection_logs'];
  const disk = await fillDisk(database.ownerUrl, tables);
  await expectRefused();
  const late = await connectModule(url, pairing, () => ({ data: {} }));
  await expect.poll(health).toEqual([503, 'degraded']);
  expect(await players(key)).toBe(400);
  await late.close();
  await disk.mend();
  await expect.poll(health, { timeout: 10_000 }).toEqual([200, 'up']);
  const recorded = cluster.db
    .selectFrom('connectionLogs')
    .select('outcome')
    .where('clientId', '=', pairing.clientId);
  await expect.poll(() => recorded.execute()).toHaveLength(2);
}, 60_000);

it('a disk that is full is told where there is nothing to record: an instance cannot report itself', async () => {
  const disk = await fillDisk(database.ownerUrl, ['instances']);
  await expect.poll(health, { timeout: 15_000 }).toEqual([503, 'degraded']);
  const { registry } = cluster.instances[0];
  // Who runs is not known, so that nobody is called for a worker that is there.
  expect(await registry.metrics()).not.toMatch(/^relay_processes\{/m);
  await disk.mend();
  await expect.poll(health, { timeout: 15_000 }).toEqual([200, 'up']);
  expect(await registry.metrics()).toMatch(/^relay_processes\{kind="worker"\} 0$/m);
}, 60_000);

it('an instance does not start on a Postgres that takes no writes, and says so', async () => {
  await setReadOnly(database.ownerUrl, true);
  const starting = startRelayProcess({
    port: await findFreePort(),
    databaseUrl: database.url,
    instanceId: 'late',
  });
  await expect(starting).rejects.toThrow(/did not start: Postgres \(DATABASE_URL\).*read-only.*primary/);
  await setReadOnly(database.ownerUrl, false);
}, 60_000);

it('an instance whose role has no rights says so in one line, without a stack', async () => {
  await execute(database.ownerUrl, 'create role of_no_rights login');
  onTestFinished(() => execute(database.ownerUrl, 'drop role of_no_rights').then(() => {}));
  const said = await startRelayProcess({
    port: await findFreePort(),
    databaseUrl: database.url.replace(/\/\/[^@]*@/, '//of_no_rights@'),
    instanceId: 'without-rights',
    env: { MIGRATE: 'off' },
  }).catch((error: unknown) => String(error));
  expect(said).toMatch(/did not start: Postgres \(DATABASE_URL\).*permission denied.*pnpm migrate/);
  expect(said).not.toMatch(/\bat .*\.ts:\d+/);
});
