import { readConfig } from '@tabletop-relay/process';
import { connectDatabase } from '@tabletop-relay/database';
import {
  createTestDatabase,
  execute,
  measureRunningTime,
  startFaultProxy,
  startRedis,
} from '@tabletop-relay/testing';
import type { TestRedis } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { describe, expect, it, vi } from 'vitest';
import type { TestContext } from 'vitest';
import { runAdminCommand } from '../../src/admin/run-command.ts';
import { RelayConfigSchema } from '../../src/config.ts';
import { examine } from '../../src/doctor/doctor.ts';
import { startInstance } from '../../src/instance.ts';
import type { RunningInstance } from '../../src/instance.ts';
import { adminDeps } from '../admin.ts';

const secret = 'a secret for tests; long enough.';
const within = { timeout: 30_000, interval: 100 };

interface Started extends RunningInstance {
  name: string;
  registry: Registry;
  logs: Record<string, unknown>[];
}

interface Scene {
  databaseUrl: string;
  redis: TestRedis;
  other: TestRedis;
  /** One whole instance, from its settings. It is stopped with the test. */
  start(name: string, redisUrl?: string): Promise<Started>;
}

/** A database and two Redis of a test's own, because all tests run at once: most of them wait for other instances. */
async function openScene(onTestFinished: TestContext['onTestFinished']): Promise<Scene> {
  const [database, redis, other] = await Promise.all([createTestDatabase(), startRedis(), startRedis()]);
  const running: Started[] = [];
  onTestFinished(async () => {
    await Promise.all(running.map(({ stop }) => stop()));
    await Promise.all([database.drop(), redis.stop(), other.stop()]);
  });
  const start = async (name: string, redisUrl?: string) => {
    const started = await startWhole(database.url, name, redisUrl);
    running.push(started);
    return started;
  };
  return { databaseUrl: database.url, redis, other, start };
}

async function startWhole(databaseUrl: string, name: string, redisUrl?: string): Promise<Started> {
  const logs: Record<string, unknown>[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logs.push(JSON.parse(line)) });
  const env = {
    DATABASE_URL: databaseUrl,
    ...(redisUrl && { REDIS_URL: redisUrl }),
    RELAY_SECRET: secret,
    INSTANCE_ID: name,
    PORT: '0',
    DATABASE_POOL: '3',
    INSTANCE_REPORT_MS: '500',
    DRAIN_WAIT_MS: '0',
    DRAIN_SPREAD_MS: '0',
    DRAIN_GRACE_MS: '0',
    CALLS_PER_MINUTE: '0',
  };
  const registry = new Registry();
  const config = readConfig(RelayConfigSchema, env);
  const instance = await startInstance({ config, log, registry, shutdown: { begin: vi.fn<() => void>() } });
  return { ...instance, name, registry, logs };
}

const refusal = (starting: Promise<unknown>) => starting.then(() => 'started', String);
const place = (url: string) => new URL(url).host;

describe.concurrent('beside an instance on the same database', () => {
  it('one with another Redis is refused, and told both by host and port, without credentials', async ({
    onTestFinished,
  }) => {
    const { redis, other, start } = await openScene(onTestFinished);
    // The other one is that of another installation, so it has an id of its own.
    const admin = new Redis(other.url);
    await admin.set('r:id', 'of another installation');
    admin.disconnect();
    await start('first', redis.url);
    const told = await refusal(start('second', other.url.replace('//', '//default:password@')));
    expect(told).toContain(place(other.url));
    expect(told).toContain(`first (${place(redis.url)})`);
    expect(told).not.toContain('password');
  }, 90_000);

  it('one with an empty Redis is refused, and leaves it empty', async ({ onTestFinished }) => {
    const { redis, other, start } = await openScene(onTestFinished);
    await start('first', redis.url);
    expect(await refusal(start('second', other.url))).toContain(`first (${place(redis.url)})`);
    const admin = new Redis(other.url);
    expect(await admin.keys('*')).toEqual([]);
    admin.disconnect();
    // The refused one is none of those that have to be agreed with.
    await start('third', redis.url);
  }, 90_000);

  it('one without Redis is refused, and one with Redis beside it as well', async ({ onTestFinished }) => {
    const { redis, start } = await openScene(onTestFinished);
    const first = await start('first', redis.url);
    expect(await refusal(start('second'))).toContain('another relay runs on this database');
    await first.stop();
    await start('alone');
    expect(await refusal(start('third', redis.url))).toContain(
      'a relay without REDIS_URL runs on this database',
    );
  }, 90_000);

  it('one starts at once beside another of a version that tells nothing, and after 15 s beside one that was killed', async ({
    onTestFinished,
  }) => {
    const { databaseUrl, redis, start } = await openScene(onTestFinished);
    await execute(
      databaseUrl,
      `insert into instances (boot, instance_id, held_until, reported_at) values ('a', 'older', now(), now())`,
    );
    const ranMs = measureRunningTime();
    const first = await start('first', redis.url);
    expect(ranMs()).toBeLessThan(8_000);
    await first.stop();
    const told = JSON.stringify({ 0: { id: 'gone', found: 'gone', place: '10.0.0.9:6379', ageMs: 0 } });
    await execute(
      databaseUrl,
      `insert into instances (boot, instance_id, held_until, redis) values ('b', 'killed', now(), '${told}')`,
    );
    const begunAt = performance.now();
    await start('second', redis.url);
    expect(performance.now() - begunAt).toBeGreaterThan(10_000);
  }, 90_000);

  it('of two that start at the same time on two empty ones, one is refused', async ({ onTestFinished }) => {
    const { redis, other, start } = await openScene(onTestFinished);
    const outcomes = await Promise.all([
      refusal(start('first', redis.url)),
      refusal(start('second', other.url)),
    ]);
    expect(outcomes.filter((outcome) => outcome === 'started')).toHaveLength(1);
  }, 90_000);
});

it.concurrent(
  'an instance whose name leads to another Redis serves nothing, says so, and is back when the name is',
  async ({ onTestFinished }) => {
    const { databaseUrl, redis, other, start } = await openScene(onTestFinished);
    const name = await startFaultProxy(redis.port);
    onTestFinished(() => name.close());
    const first = await start('first', `redis://127.0.0.1:${name.port}#shared`);
    const second = await start('second', `${redis.url}#shared`);
    const account = await createAccount(first.address);
    const pairing = await account.pair();
    const key = await account.createKey();
    const module = await connectModule(first.address, pairing, () => ({ data: {} }));
    const roll = (instance: Started) =>
      call(instance.address, 'POST', `/sys5e/skill-check?clientId=${pairing.clientId}`, {
        body: { actorUuid: 'Actor.a', skill: 'prc' },
        headers: { 'x-api-key': key },
      });
    const ready = async (instance: Started) => (await call(instance.address, 'GET', '/readyz')).status;
    const metric = async (instance: Started) => {
      const found = await instance.registry.getSingleMetric('relay_redis_foreign')?.get();
      return found?.values[0]?.value;
    };
    await expect.poll(async () => (await roll(second)).status, within).toBe(200);
    expect([await ready(first), await metric(first)]).toEqual([200, 0]);

    const admin = new Redis(other.url);
    await admin.set('r:id', 'of another installation');
    admin.disconnect();
    name.pointTo(other.port);
    name.cut();
    await expect.poll(() => ready(first), within).toBe(503);
    expect([await metric(first), await ready(second), await metric(second)]).toEqual([1, 200, 0]);
    expect(await module.closed).toMatchObject({ code: 4000 });
    expect(await roll(first)).toMatchObject({
      status: 503,
      body: { code: 'unavailable', outcome: 'not_sent' },
    });
    expect(first.logs.filter(({ msg }) => String(msg).includes('it serves nothing'))).toHaveLength(1);
    // It writes what it found into Postgres by and by.
    const doctorSays = async () => (await doctorOf(databaseUrl, { REDIS_URL: redis.url })).join();
    await expect.poll(doctorSays, within).toMatch(/first has come to another Redis/);
    const elsewhere = await connectModule(second.address, pairing, () => ({ data: {} }));
    expect((await roll(second)).status).toBe(200);

    name.pointTo(redis.port);
    await expect.poll(() => ready(first), within).toBe(200);
    await expect.poll(async () => (await roll(first)).status, within).toBe(200);
    await elsewhere.close();
    await first.stop();
  },
  120_000,
);

/** What the doctor of an instance to come says of its Redis. */
async function doctorOf(databaseUrl: string, env: Record<string, string>): Promise<string[]> {
  const findings = await examine({ env: { DATABASE_URL: databaseUrl, RELAY_SECRET: secret, ...env } });
  return findings
    .filter(({ check }) => check === 'same Redis')
    .map(({ state, detail }) => `${state} ${detail}`);
}

it.concurrent(
  'the doctor and the command line say which Redis the instances use',
  async ({ onTestFinished }) => {
    const { databaseUrl, redis, other, start } = await openScene(onTestFinished);
    expect(await doctorOf(databaseUrl, { REDIS_URL: redis.url })).toEqual([]);
    const first = await start('first', redis.url);
    expect(await doctorOf(databaseUrl, { REDIS_URL: redis.url })).toEqual(['ok is that of all instances']);
    expect(await doctorOf(databaseUrl, { REDIS_URL: other.url })).toEqual([
      `problem ${place(other.url)} is empty, and not that of first (${place(redis.url)})`,
    ]);
    const admin = new Redis(other.url);
    await admin.set('r:id', 'of another installation');
    admin.disconnect();
    expect(await doctorOf(databaseUrl, { REDIS_URL: other.url })).toEqual([
      `problem ${place(other.url)} is another Redis than that of first (${place(redis.url)})`,
    ]);
    expect(await doctorOf(databaseUrl, {})).toEqual(['problem first: REDIS_URL is set on it and not here']);
    const db = connectDatabase({ url: databaseUrl, poolSize: 1, log: { warn: () => {} } });
    const deps = adminDeps({ db, databaseUrl }, { auditIn: () => Promise.resolve() });
    const told = await runAdminCommand(deps, ['redis']);
    expect(told).toMatch(new RegExp(`first +1 +${place(redis.url)} +[0-9a-f]{8} +its own`));
    expect(told).toContain('To change Redis: stop all relays');
    await first.stop();
    await start('alone');
    expect(await doctorOf(databaseUrl, { REDIS_URL: redis.url })).toEqual([
      'problem alone: REDIS_URL is set here and not on it',
    ]);
    expect(await runAdminCommand(deps, ['redis'])).toMatch(/alone +- +none/);
    await db.destroy();
  },
  90_000,
);
