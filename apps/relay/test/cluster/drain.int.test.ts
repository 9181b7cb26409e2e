import { connectFakeModule, measureRunningTime } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { headOf, openRaw } from '../raw-connection.ts';
import { connectStranger, refusedFrame } from '../stranger.ts';

let cluster: TestInstances;
let url: string;
let account: TestAccount;
beforeAll(async () => {
  cluster = await startInstances({ config: { drainWaitMs: 300, drainSpreadMs: 5_000 } });
  [{ url }] = cluster.instances;
  account = await createAccount(url);
});
afterAll(() => cluster.stop());

/** Milliseconds in which this process ran while it drained. */
async function drainTime(instance: { stop(): Promise<void> }): Promise<number> {
  const ranMs = measureRunningTime();
  await instance.stop();
  return ranMs();
}

it('a module that authenticates while its instance drains is sent to another', async () => {
  const leaving = await cluster.add();
  const pairing = await account.pair();
  const module = await connectFakeModule({ url: leaving.url, clientId: pairing.clientId });
  const drained = drainTime(leaving);
  module.send({ type: 'auth', token: pairing.token });
  expect((await module.closed).code).toBe(1012);
  const headers = { 'x-api-key': await account.createKey() };
  const answer = await call(url, 'GET', `/players?clientId=${pairing.clientId}`, { headers });
  expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable', outcome: 'not_sent' } });
  expect(await drained).toBeLessThan(3_000);
  expect(module.count('auth-success')).toBe(0);
});

it.each([
  ['says nothing', ''],
  ['is refused and answers no close', refusedFrame],
])('a stranger that %s holds up no drain', async (_name, frame) => {
  const leaving = await cluster.add();
  const socket = await connectStranger(leaving.url);
  socket.write(frame, 'latin1');
  if (frame) await once(socket, 'data');
  expect(await drainTime(leaving)).toBeLessThan(3_000);
  socket.destroy();
});

it('an idle connection is closed once balancers have had their time, while worlds are still served', async () => {
  const leaving = await cluster.add();
  const module = await connectModule(leaving.url, await account.pair());
  const idle = openRaw(leaving.url);
  idle.socket.write(headOf('GET', '/livez'));
  expect(await idle.status()).toBe(200);
  const drained = drainTime(leaving);
  await idle.closed;
  expect(module.socket.readyState).toBe(WebSocket.OPEN);
  await module.close();
  await drained;
});

it('a world that has come back elsewhere is called there, also through the instance that it leaves', async () => {
  const leaving = await cluster.add();
  const pairing = await account.pair();
  const headers = { 'x-api-key': await account.createKey() };
  const players = (at: string) => call(at, 'GET', `/players?clientId=${pairing.clientId}`, { headers });
  const before = await connectModule(leaving.url, pairing);
  const slow = players(leaving.url);
  const { requestId } = await before.next('players');
  const drained = drainTime(leaving);
  await before.next('reconnect');
  const after = await connectModule(url, pairing, () => ({ users: ['moved'] }));
  expect(await players(leaving.url)).toMatchObject({ status: 200, body: { users: ['moved'] } });
  before.send({ type: 'players-result', requestId, users: ['slow'] });
  expect(await slow).toMatchObject({ status: 200, body: { users: ['slow'] } });
  await drained;
  await after.close();
});
