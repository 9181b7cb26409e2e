import { waitFor } from '@tabletop-relay/testing';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { openDoor } from './door.ts';
import { liveSessions, soon } from './live-sessions.ts';
import type { LiveSessions } from './live-sessions.ts';
import { startHostProcess } from './processes.ts';
import { startRig } from './rig.ts';
import type { Rig, Tabletop } from './rig.ts';

let rig: Rig;
let tabletop: Tabletop;
let live: LiveSessions;
beforeEach(async () => {
  // So that a session without a host ends within a test; another host takes one far sooner.
  rig = await startRig({ headlessLapseMs: 20_000 });
  tabletop = await rig.startWorld();
  live = liveSessions(rig);
});
afterEach(() => rig.stop());

/**
 * In `pnpm test:slow`: `pnpm test` shows the same ends without a browser, or in shorter ways. Here hosts are those that are
 * deployed, with their own times.
 */
it('a start whose host is killed is answered: the password is not kept', async () => {
  const door = await openDoor(tabletop.login.tabletopUrl);
  const child = startHostProcess(rig, 'main');
  const answer = rig.sessions.logIn({ ...tabletop.login, tabletopUrl: door.url });
  await waitFor(() => door.wasAsked(), { timeoutMs: 40_000 });
  await child.end('SIGKILL');
  door.open();
  await rig.startHost({}, { lockMs: 4_000 });
  const { status, body } = await answer;
  expect(body).toMatchObject({ code: 'session_failed', stage: 'login' });
  expect(status).toBe(502);
  expect(String(body['detail'])).toMatch(/asks for the password again/);
  expect(await rig.sessions.list()).toEqual([]);
});

it('a session whose host is killed is back on another within 15 s and its log-in', async () => {
  const child = startHostProcess(rig, 'main');
  const { sessionId, clientId } = await live.start(tabletop);
  await rig.startHost();
  await child.end('SIGKILL');
  const taken = async () => (await live.rowOf(sessionId)).run === 2;
  await waitFor(taken, { timeoutMs: 15_000 });
  await expect.poll(() => live.isOnline(clientId), soon).toBe(true);
});

it('a session whose hosts are all gone fails, and its caller is told', async () => {
  const child = startHostProcess(rig, 'main');
  const { sessionId, clientId } = await live.start(tabletop);
  await child.end('SIGKILL');
  await expect.poll(() => rig.sessions.list(), { ...soon, timeout: 60_000 }).toEqual([]);
  expect(await live.rowOf(sessionId)).toMatchObject({
    state: 'failed',
    detail: expect.stringMatching(/host went away/),
  });
  const { status, body } = await live.skillCheck(clientId);
  expect([status, body['code']]).toEqual([404, 'client_offline']);
  const { body: tokens } = await rig.account.as('GET', '/auth/connection-tokens');
  expect(tokens['items']).toEqual([]);
});

it('a session that nobody uses ends', async () => {
  await rig.startHost({ headlessIdleMs: 2_000 });
  const { sessionId } = await live.start(tabletop);
  await expect.poll(() => live.rowOf(sessionId), soon).toMatchObject({ state: 'ended' });
  expect((await live.rowOf(sessionId)).detail).toMatch(/Nobody used it/);
});

it('a session ends at its time, though it is used', async () => {
  await rig.startHost({ headlessMaxMs: 25_000 });
  const { sessionId, clientId } = await live.start(tabletop);
  const used = setInterval(() => void live.skillCheck(clientId), 500);
  onTestFinished(() => clearInterval(used));
  await expect.poll(() => live.rowOf(sessionId), soon).toMatchObject({ state: 'ended' });
  expect((await live.rowOf(sessionId)).detail).toMatch(/as long as a session may/);
  await expect.poll(() => live.isOnline(clientId), soon).toBe(false);
});

it('five sessions at once run on two hosts, as many on each as it takes, and answer', async () => {
  await Promise.all([rig.startHost({ headlessAtOnce: 3 }), rig.startHost({ headlessAtOnce: 2 })]);
  const worlds = await Promise.all(Array.from({ length: 5 }, () => rig.startWorld()));
  const started = await Promise.all(worlds.map((world) => live.start(world)));
  const rows = await rig.cluster.db.selectFrom('headlessSessions').select('host').execute();
  const onEach = [...Map.groupBy(rows, ({ host }) => host).values()].map(({ length }) => length);
  expect(onEach.toSorted((a, b) => a - b)).toEqual([2, 3]);
  const calls = await Promise.all(started.map(({ clientId }) => live.skillCheck(clientId)));
  expect(calls.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
});
