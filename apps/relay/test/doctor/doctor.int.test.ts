import { createTestDatabase, execute, findFreePort, startRedis } from '@tabletop-relay/testing';
import type { TestDatabase } from '@tabletop-relay/testing';
import { createAccount } from '@tabletop-relay/testing/scenes';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { checkPostgres } from '../../src/doctor/check-postgres.ts';
import { checkRedis } from '../../src/doctor/check-redis.ts';
import { examine } from '../../src/doctor/doctor.ts';
import type { Finding } from '../../src/doctor/finding.ts';
import { startRelayProcess } from '../process.ts';
import type { RelayProcess } from '../process.ts';
import { startBadProxy } from './bad-proxy.ts';
import { redisWith } from './redis-with.ts';

let redis: Awaited<ReturnType<typeof startRedis>>;
let database: TestDatabase;
let relay: RelayProcess;
let good: Record<string, string>;

beforeAll(async () => {
  [redis, database] = await Promise.all([startRedis(), createTestDatabase()]);
  relay = await startRelayProcess({
    port: await findFreePort(),
    databaseUrl: database.url,
    redisUrl: redis.url,
    instanceId: 'examined',
    env: { DATABASE_POOL: '2' },
  });
  good = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    RELAY_SECRET: 'a secret for tests; long enough.',
    PUBLIC_URL: relay.url,
  };
}, 90_000);
afterAll(async () => {
  await relay.end('SIGKILL');
  await Promise.all([redis.stop(), database.drop()]);
});

const examineWith = (env: Record<string, string>, options = {}) =>
  examine({ env: { ...good, ...env }, withinMs: 2_000, ...options });

/** The findings of one check that are not well. */
async function findingsOf(check: string, env: Record<string, string>, options = {}): Promise<Finding[]> {
  const findings = await examineWith(env, options);
  return findings.filter((finding) => finding.check.startsWith(check) && finding.state !== 'ok');
}

const found = (state: string, detail: RegExp, cure: RegExp) =>
  expect.objectContaining({
    state,
    detail: expect.stringMatching(detail),
    cure: expect.stringMatching(cure),
  });

it('the doctor finds nothing where all is well', async () => {
  const { sessionToken: session } = await createAccount(relay.url);
  const findings = await examineWith({}, { session });
  expect(findings.filter(({ state }) => state === 'problem')).toEqual([]);
  const checks = findings.filter(({ state }) => state === 'ok').map(({ check }) => check);
  const expected = [
    'Node',
    'settings',
    'Postgres',
    'clock of Postgres',
    'Postgres writes',
    'schema',
    'database role',
    'REDIS_URL',
    'REDIS_URL eviction',
    'REDIS_URL rights',
    'PUBLIC_URL',
    'version',
    'metrics',
    'WebSocket',
    'stream',
  ];
  expect(checks).toEqual(expect.arrayContaining(expected));
});

describe('the doctor finds broken settings:', () => {
  it.each([
    [
      'a name that nobody reads',
      { REDIS_ULR: 'redis://127.0.0.1' },
      /^REDIS_ULR is set/,
      'warning',
      /REDIS_URL/,
    ],
    ['a value of the wrong type', { PORT: 'many' }, /PORT/],
    ['no secret', { RELAY_SECRET: '' }, /RELAY_SECRET is not set/],
    ['mail without an address for links', { SMTP_URL: 'smtp://127.0.0.1', PUBLIC_URL: '' }, /SMTP_URL/],
  ] as [string, Record<string, string>, RegExp, string?, RegExp?][])(
    '%s',
    async (_name, env, detail, state = 'problem', cure = /configuration\.md/) => {
      expect(await findingsOf('settings', env)).toContainEqual(found(state, detail, cure));
    },
  );
});

describe('the doctor finds a Postgres that will not do:', () => {
  it('nothing listens', async () => {
    const DATABASE_URL = `postgres://x@127.0.0.1:${await findFreePort()}/x`;
    expect(await findingsOf('Postgres', { DATABASE_URL })).toEqual([
      found('problem', /REFUSED/, /Nothing listens/),
    ]);
  });

  it('no such role, and no such database', async () => {
    const noRole = database.url.replace(/\/\/[^@]*@/, '//nobody_at_all@');
    expect(await findingsOf('Postgres', { DATABASE_URL: noRole })).toEqual([
      found('problem', /nobody_at_all/, /role of DATABASE_URL does not exist/),
    ]);
    const noDatabase = database.url.replace(/@\/\w+/, '@/no_such_database');
    expect(await findingsOf('Postgres', { DATABASE_URL: noDatabase })).toEqual([
      found('problem', /does not exist/, /Create the database/),
    ]);
  });

  it('a schema that is behind', async () => {
    const name = `empty_${process.pid}`;
    await execute(database.ownerUrl, `create database ${name}`);
    onTestFinished(() => execute(database.ownerUrl, `drop database ${name} with (force)`).then(() => {}));
    const DATABASE_URL = database.ownerUrl.replace(/@\/\w+/, `@/${name}`);
    expect(await findingsOf('schema', { DATABASE_URL })).toEqual([
      found('problem', /lacks 0001/, /pnpm migrate/),
    ]);
  });

  it('a role that may do too much, and one that may do nothing', async () => {
    expect(await findingsOf('database role', { DATABASE_URL: database.ownerUrl })).toEqual([
      found('warning', /owns the tables/, /two-database-roles/),
    ]);
    await execute(database.ownerUrl, 'create role without_rights login');
    onTestFinished(() => execute(database.ownerUrl, 'drop role without_rights').then(() => {}));
    const DATABASE_URL = database.url.replace(/\/\/[^@]*@/, '//without_rights@');
    const findings = await examineWith({ DATABASE_URL });
    expect(findings).toContainEqual(found('problem', /permission denied|lacks rights/, /pnpm migrate/));
  });

  it('too few connections, and a clock that is wrong', async () => {
    expect(await findingsOf('Postgres connections', { DATABASE_POOL: '5000' })).toEqual([
      found('warning', /max_connections/, /Raise it by/),
    ]);
    const clocks = await findingsOf('clock', {}, { now: () => Date.now() - 90_000 });
    expect(clocks).toEqual([
      found('problem', /(89|90)\.\d s ahead/, /NTP/),
      found('problem', /(89|90)\.\d s ahead/, /NTP/),
    ]);
  });

  it('no clock that is wrong behind a way that takes long', async () => {
    // Each question goes out, by this clock, eight seconds before its answer is in.
    const asked = { DATABASE_URL: [8_000, 0], REDIS_URL: [8_000, 0] };
    const clockOf = (waits: number[]) => () => Date.now() - (waits.shift() ?? 0);
    const judged = [
      ...(await checkPostgres({
        url: database.url,
        poolSize: 2,
        keyIds: [],
        now: clockOf(asked.DATABASE_URL),
      })),
      ...(await checkRedis('REDIS_URL', redis.url, clockOf(asked.REDIS_URL))),
    ].filter(({ check }) => check.startsWith('clock'));
    expect(judged.map(({ state }) => state)).toEqual(['ok', 'ok']);
    expect(asked).toEqual({ DATABASE_URL: [], REDIS_URL: [] });
  });
});

describe('the doctor finds a Redis that will not do:', () => {
  it('nothing listens', async () => {
    const REDIS_URL = `redis://127.0.0.1:${await findFreePort()}`;
    expect(await findingsOf('REDIS_URL', { REDIS_URL })).toEqual([
      found('problem', /REFUSED/, /Nothing listens/),
    ]);
  });

  it('a wrong password', async () => {
    const url = await redisWith({ requirepass: 'right' });
    const REDIS_URL = url.replace('//', '//:wrong@');
    expect(await findingsOf('REDIS_URL', { REDIS_URL })).toEqual([
      found('problem', /./, /user and password/),
    ]);
  });

  it('eviction, a small buffer, and a time-out of connections', async () => {
    const REDIS_URL = await redisWith({
      'maxmemory-policy': 'allkeys-lru',
      timeout: '300',
      'client-output-buffer-limit': 'pubsub 1mb 1mb 60',
    });
    expect(await findingsOf('REDIS_URL', { REDIS_URL })).toEqual([
      found('problem', /allkeys-lru/, /noeviction/),
      found('warning', /1048576/, /pubsub 32mb/),
      found('warning', /300 s/, /timeout 0/),
    ]);
  });

  it('a user without rights to our channels', async () => {
    const url = await redisWith({}, [
      'ACL',
      'SETUSER',
      'relay',
      'on',
      '>p',
      '~r:*',
      'resetchannels',
      '+@all',
    ]);
    const REDIS_URL = url.replace('//', '//relay:p@');
    expect(await findingsOf('REDIS_URL rights', { REDIS_URL })).toEqual([
      found('problem', /./, /stores\.md/),
    ]);
  });

  it('a user who may not ask: what was not looked at is said', async () => {
    const rights = ['+@all', '-config', '-info', '-time'];
    const url = await redisWith({}, ['ACL', 'SETUSER', 'relay', 'on', '>p', '~r:*', '&r:*', ...rights]);
    const REDIS_URL = url.replace('//', '//relay:p@');
    expect(await findingsOf('REDIS_URL', { REDIS_URL })).toEqual([
      found('unchecked', /may not ask TIME/, /\+time/),
      found('unchecked', /may not ask INFO/, /\+info/),
      found('unchecked', /may not ask CONFIG/, /\+config/),
    ]);
  });

  it('a replica, and a server in cluster mode', async () => {
    const replica = await redisWith({ replicaof: '127.0.0.1 1' });
    expect(await findingsOf('REDIS_URL role', { REDIS_URL: replica })).toEqual([
      found('problem', /replica/, /primary/),
    ]);
    const clustered = await redisWith({
      'cluster-enabled': 'yes',
      'cluster-config-file': `nodes-${process.pid}.conf`,
    });
    expect(await findingsOf('REDIS_URL mode', { REDIS_URL: clustered })).toEqual([
      found('problem', /cluster mode/, /shards/),
    ]);
  });
});

describe('the doctor finds a way that is broken:', () => {
  it('nobody is there, and somebody else is', async () => {
    const PUBLIC_URL = `http://127.0.0.1:${await findFreePort()}`;
    expect(await findingsOf('PUBLIC_URL', { PUBLIC_URL })).toEqual([
      found('problem', /REFUSED/, /reachable/),
    ]);
    const stranger = await startBadProxy(relay.url, 'answers itself');
    expect(await findingsOf('PUBLIC_URL', { PUBLIC_URL: stranger })).toEqual([
      found('problem', /not as a relay/, /all paths/),
    ]);
  });

  it('https before what speaks plain http, and no proxy that is trusted', async () => {
    const PUBLIC_URL = relay.url.replace('http:', 'https:');
    expect(await findingsOf('PUBLIC_URL', { PUBLIC_URL })).toEqual([
      found('problem', /./, /speaks plain http/),
    ]);
    expect(await findingsOf('TRUSTED_PROXIES', { PUBLIC_URL })).toEqual([
      found('warning', /is not set/, /deploy\.md#balancer/),
    ]);
    expect(await findingsOf('TRUSTED_PROXIES', { PUBLIC_URL, TRUSTED_PROXIES: '127.0.0.1' })).toEqual([]);
  });

  it('sockets do not open, streams are held back, metrics are open', async () => {
    const PUBLIC_URL = await startBadProxy(relay.url, 'knows requests and whole answers only');
    const { sessionToken: session } = await createAccount(relay.url);
    const findings = await examineWith({ PUBLIC_URL }, { session });
    expect(findings.filter(({ state }) => state === 'problem')).toEqual([
      found('problem', /read \/metrics/, /OPS_PORT/),
      found('problem', /does not open/, /Upgrade/),
      found('problem', /nothing of a stream/, /buffering/),
    ]);
  });

  it('a mail server that is not there', async () => {
    const SMTP_URL = `smtp://127.0.0.1:${await findFreePort()}`;
    expect(await findingsOf('mail', { SMTP_URL })).toEqual([found('problem', /REFUSED/, /SMTP_URL/)]);
  });
});

it('the command prints what is wrong last, or JSON, ends with 1 for a problem, and tells no password', async () => {
  const file = new URL('../../src/admin.ts', import.meta.url).pathname;
  const REDIS_URL = `redis://:hunter2hunter2@127.0.0.1:${await findFreePort()}`;
  const env = { ...process.env, ...good, REDIS_URL };
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [file, 'doctor', ...args], { env }).catch(
      (error: unknown) => error,
    );
  const text = (await run()) as { code: number; stdout: string };
  expect(text.code).toBe(1);
  expect(text.stdout).toMatch(
    /problem {3}REDIS_URL: .*\n +-> Nothing listens there.*\n1 problems, \d warnings, 0 not checked\n$/,
  );
  const json = (await run('--json')) as { stdout: string };
  const { findings } = JSON.parse(json.stdout) as { findings: Finding[] };
  expect(findings).toContainEqual(found('problem', /REFUSED/, /Nothing listens/));
  expect(text.stdout + json.stdout).not.toContain('hunter2');
}, 60_000);
