import { createRedisShortLived } from '@tabletop-relay/headless';
import { spawnBound, waitFor } from '@tabletop-relay/testing';
import type { BoundChild } from '@tabletop-relay/testing';
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { call } from '../../relay/test/account.ts';
import { openDoor } from './door.ts';
import { startRig } from './rig.ts';
import type { Rig, Tabletop } from './rig.ts';

let rig: Rig;
let tabletop: Tabletop;
beforeEach(async () => {
  // So that a session without a host ends within a test; another host takes one far sooner.
  rig = await startRig({ headlessLapseMs: 20_000 });
  tabletop = await rig.startWorld();
});
afterEach(() => rig.stop());

async function start(): Promise<{ sessionId: string; clientId: string }> {
  const { body } = await rig.sessions.logIn(tabletop.login);
  expect(body).toMatchObject({ success: true });
  return body as { sessionId: string; clientId: string };
}

const isOnline = async (clientId: string) =>
  (await call(rig.second.url, 'GET', `/api/clients/${clientId}/active`)).body['active'] === true;

/** By way of the other relay. */
const skillCheck = (clientId: string) =>
  call(rig.second.url, 'POST', `/sys5e/skill-check?clientId=${clientId}`, {
    headers: { 'x-api-key': rig.key },
    body: { actorUuid: 'Actor.mira', skill: 'prc' },
  });

async function rowOf(id: string) {
  return await rig.cluster.db
    .selectFrom('headlessSessions')
    .select(['state', 'host', 'run', 'stage', 'detail'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** `pnpm soak:headless` runs what takes longer than `pnpm test` may. */
const isLong = process.env['SOAK'] === '1';

const soon = { timeout: 40_000, interval: 200 };

/** The Chromium that this process has started. */
function browserPid(): number {
  const own = readdirSync('/proc').filter((name) => {
    try {
      const [, comm = '', rest = ''] =
        /^\d+ \((.*)\) \S (.*)/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
      return /chrom/.test(comm) && Number(rest.split(' ')[0]) === process.pid;
    } catch {
      return false;
    }
  });
  return Number(own[0]);
}

it.runIf(isLong)(
  'a browser that is killed is started again once, without the password, and the world is back',
  async () => {
    await rig.startHost();
    const { sessionId, clientId } = await start();
    process.kill(browserPid(), 'SIGKILL');
    await expect.poll(() => isOnline(clientId), soon).toBe(false);
    await expect.poll(() => isOnline(clientId), soon).toBe(true);
    expect(await rowOf(sessionId)).toMatchObject({ state: 'active', run: 1 });
    process.kill(browserPid(), 'SIGKILL');
    await expect.poll(() => rowOf(sessionId), soon).toMatchObject({ state: 'failed' });
    expect((await rowOf(sessionId)).detail).toMatch(/started again once/);
  },
);

it.runIf(isLong)(
  'a session that comes back where its cookies do not count fails at the log-in, and says so',
  async () => {
    await rig.startHost();
    const { sessionId } = await start();
    const kept = createRedisShortLived({ url: rig.redis.url });
    expect(await kept.take(`cookies:${sessionId}`)).not.toContain('connectionToken');
    kept.close();
    process.kill(browserPid(), 'SIGKILL');
    await expect.poll(() => rowOf(sessionId), soon).toMatchObject({ state: 'failed', stage: 'login' });
    expect((await rowOf(sessionId)).detail).toMatch(/asks for the password again/);
  },
);

it.runIf(isLong)(
  'a host that drains hands its session to another, and the world is back within 30 s',
  async () => {
    const first = await rig.startHost();
    const { sessionId, clientId } = await start();
    const { host } = await rowOf(sessionId);
    await rig.startHost();
    const begun = performance.now();
    await first.stop();
    await waitFor(async () => (await rowOf(sessionId)).host !== host && (await isOnline(clientId)), {
      timeoutMs: 40_000,
    });
    expect(performance.now() - begun).toBeLessThan(30_000);
    expect(await rowOf(sessionId)).toMatchObject({ state: 'active', run: 2 });
    expect((await rig.sessions.end(sessionId)).status).toBe(200);
    expect(await rowOf(sessionId)).toMatchObject({ state: 'ended' });
  },
);

/** A browser host in a process of its own, to be killed. */
function startHostProcess(): BoundChild {
  const env = {
    DATABASE_URL: rig.cluster.databaseUrl,
    REDIS_URL: rig.redis.url,
    OUTBOUND_ALLOW: '127.0.0.0/8',
    LOG_LEVEL: 'warn',
  };
  const main = new URL('../src/main.ts', import.meta.url).pathname;
  const child = spawnBound({ command: process.execPath, env }, [main]);
  onTestFinished(() => child.end('SIGKILL'));
  for (const stream of [child.process.stdout, child.process.stderr]) stream?.resume();
  return child;
}

it.runIf(isLong)('a host that is killed loses its session to another, and its caller goes on', async () => {
  const child = startHostProcess();
  const { sessionId, clientId } = await start();
  await rig.startHost({}, { lockMs: 4_000 });
  await child.end('SIGKILL');
  await waitFor(async () => (await rowOf(sessionId)).run === 2 && (await isOnline(clientId)), {
    timeoutMs: 50_000,
  });
  expect(await rig.sessions.list()).toMatchObject([{ sessionId, clientId, state: 'active' }]);
  expect((await skillCheck(clientId)).status).toBe(200);
  expect((await rig.sessions.end(sessionId)).status).toBe(200);
});

it.runIf(isLong)('a start whose host is killed is answered: the password is not kept', async () => {
  const door = await openDoor(tabletop.login.tabletopUrl);
  const child = startHostProcess();
  const answer = rig.sessions.logIn({ ...tabletop.login, tabletopUrl: door.url });
  await waitFor(() => door.hasKnocked(), { timeoutMs: 40_000 });
  await child.end('SIGKILL');
  door.open();
  await rig.startHost({}, { lockMs: 4_000 });
  const { status, body } = await answer;
  expect(body).toMatchObject({ code: 'session_failed', stage: 'login' });
  expect(status).toBe(502);
  expect(String(body['detail'])).toMatch(/asks for the password again/);
  expect(await rig.sessions.list()).toEqual([]);
});

it.runIf(isLong)('a session whose hosts are all gone fails, and its caller is told', async () => {
  const child = startHostProcess();
  const { sessionId, clientId } = await start();
  await child.end('SIGKILL');
  await expect.poll(() => rig.sessions.list(), { ...soon, timeout: 60_000 }).toEqual([]);
  expect(await rowOf(sessionId)).toMatchObject({
    state: 'failed',
    detail: expect.stringMatching(/host went away/),
  });
  const { status, body } = await skillCheck(clientId);
  expect([status, body['code']]).toEqual([404, 'client_offline']);
  const { body: tokens } = await rig.account.as('GET', '/auth/connection-tokens');
  expect(tokens['items']).toEqual([]);
});

it.runIf(isLong)('a session that nobody uses ends', async () => {
  await rig.startHost({ headlessIdleMs: 2_000 });
  const { sessionId } = await start();
  await expect.poll(() => rowOf(sessionId), soon).toMatchObject({ state: 'ended' });
  expect((await rowOf(sessionId)).detail).toMatch(/Nobody used it/);
});

it.runIf(isLong)('a session ends at its time, though it is used', async () => {
  await rig.startHost({ headlessMaxMs: 25_000 });
  const { sessionId, clientId } = await start();
  const used = setInterval(() => void skillCheck(clientId), 500);
  onTestFinished(() => clearInterval(used));
  await expect.poll(() => rowOf(sessionId), soon).toMatchObject({ state: 'ended' });
  expect((await rowOf(sessionId)).detail).toMatch(/as long as a session may/);
  await expect.poll(() => isOnline(clientId), soon).toBe(false);
});

it.runIf(isLong)(
  'five sessions at once run on two hosts, as many on each as it takes, and answer',
  async () => {
    await Promise.all([rig.startHost({ headlessAtOnce: 3 }), rig.startHost({ headlessAtOnce: 2 })]);
    const worlds = await Promise.all(Array.from({ length: 5 }, () => rig.startWorld()));
    const started = await Promise.all(worlds.map(({ login }) => rig.sessions.logIn(login)));
    expect(started.map(({ body }) => body['success'])).toEqual([true, true, true, true, true]);
    const rows = await rig.cluster.db.selectFrom('headlessSessions').select('host').execute();
    const onEach = [...Map.groupBy(rows, ({ host }) => host).values()].map(({ length }) => length);
    expect(onEach.toSorted((a, b) => a - b)).toEqual([2, 3]);
    const calls = await Promise.all(started.map(({ body }) => skillCheck(String(body['clientId']))));
    expect(calls.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  },
);
