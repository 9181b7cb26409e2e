import { measureRunningTime, startFaultProxy, startPostgresProxy, startRedis } from '@tabletop-relay/testing';
import type { FaultProxy, TestRedis } from '@tabletop-relay/testing';
import { createAccount } from '@tabletop-relay/testing/scenes';
import { execFile } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

const file = new URL('../../src/admin.ts', import.meta.url).pathname;

let redis: TestRedis;
let redisNetwork: FaultProxy;
let postgres: Awaited<ReturnType<typeof startPostgresProxy>>;
let cluster: TestInstances;
let clientId: string;

beforeAll(async () => {
  redis = await startRedis();
  redisNetwork = await startFaultProxy(redis.port);
  cluster = await startInstances({ redis: [redis.url] });
  postgres = await startPostgresProxy(cluster.databaseUrl);
  const account = await createAccount(cluster.instances[0].url);
  ({ clientId } = await account.pair());
  await cluster.db
    .insertInto('notifications')
    .values({
      id: 'given-up',
      accountId: account.accountId,
      target: 'webhook',
      kind: 'discord',
      label: 'chat.example',
      status: 'failed',
      events: '[]',
      eventCount: 0,
      nextTryAt: new Date(),
      tries: 9,
    })
    .execute();
});
afterAll(async () => {
  await cluster.stop();
  await postgres.network.close();
  await redisNetwork.close();
  await redis.stop();
});

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `pnpm admin` as a process of its own, through networks that can fail. */
function admin(...args: string[]): Promise<Ended> {
  const env = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    DATABASE_URL: postgres.url,
    REDIS_URL: `redis://127.0.0.1:${redisNetwork.port}`,
  };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [file, ...args], { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

/** Five seconds for each store, and what a process takes to start on a machine that is busy. */
const longestMs = 25_000;

it('while Redis is silent a list has what Postgres knows, says what could not be read, and ends with 1', async () => {
  redisNetwork.blackHole();
  const ranMs = measureRunningTime();
  const [letters, asJson, worlds, retried] = await Promise.all([
    admin('dead-letters'),
    admin('dead-letters', '--json'),
    admin('worlds'),
    admin('retry-job', 'jobs', '1'),
  ]);
  expect(ranMs()).toBeLessThan(longestMs);
  redisNetwork.heal();
  const away =
    /^Redis \(.*REDIS_URL\): (no answer within \d s|Connection is closed).*\. Make Redis reachable from here/;
  expect([letters.code, letters.stdout]).toEqual([
    1,
    expect.stringMatching(/^given-up .*\n\njobs: not known\n$/ms),
  ]);
  expect(letters.stderr).toMatch(away);
  expect(JSON.parse(asJson.stdout)).toMatchObject({ notifications: [{ id: 'given-up' }], jobs: null });
  expect([worlds.code, worlds.stdout]).toEqual([
    1,
    expect.stringMatching(new RegExp(`^${clientId} .* \\? `, 'm')),
  ]);
  expect(worlds.stderr).toMatch(away);
  expect([retried.code, retried.stdout]).toEqual([1, '']);
  expect(retried.stderr).toMatch(away);
}, 60_000);

it('while Redis refuses it says so, with what it said', async () => {
  redisNetwork.refuse();
  const { code, stderr } = await admin('retry-job', 'jobs', '1');
  redisNetwork.heal();
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Redis \(.*\): .*\. (Nothing listens there|Make Redis reachable)/);
}, 60_000);

it('while Postgres is silent a list has what Redis knows, and each other command ends and says what to do', async () => {
  postgres.network.blackHole();
  const ranMs = measureRunningTime();
  const [letters, accounts] = await Promise.all([admin('dead-letters'), admin('list')]);
  expect(ranMs()).toBeLessThan(longestMs);
  postgres.network.heal();
  const away = /^Postgres \(DATABASE_URL\): .*\. Make Postgres reachable from here/m;
  expect([letters.code, letters.stdout]).toEqual([1, 'notifications: not known\n\nno job was given up\n']);
  expect(letters.stderr).toMatch(away);
  expect([accounts.code, accounts.stdout]).toEqual([1, '']);
  expect(accounts.stderr).toMatch(away);
}, 60_000);
