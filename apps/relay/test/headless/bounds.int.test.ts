import { readRole } from '@tabletop-relay/database';
import { migrateJobs } from '@tabletop-relay/jobs';
import { asOwner } from '@tabletop-relay/testing';
import { call, connectModule, createAccount, sessionCaller } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { expect, it, onTestFinished } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances, TestInstancesOptions } from '../instances.ts';

interface Started {
  account: TestAccount;
  cluster: TestInstances;
  sessions: ReturnType<typeof sessionCaller>;
}

/** An account on a relay without browser hosts. */
async function start(config: TestInstancesOptions['config']): Promise<Started> {
  const cluster = await startInstances({ config: { outboundAllow: ['127.0.0.0/8'], ...config } });
  onTestFinished(() => cluster.stop());
  await migrateJobs({ url: asOwner(cluster.databaseUrl), grantTo: await readRole(cluster.db) });
  const account = await createAccount(cluster.instances[0].url);
  return { account, cluster, sessions: sessionCaller(cluster.instances[0].url, await account.createKey()) };
}

const login = (port: number) => ({ tabletopUrl: `http://127.0.0.1:${port}`, username: 'Ada', password: 'p' });

async function listed({ account }: Started): Promise<unknown[]> {
  const { body } = await account.as('GET', '/auth/headless-sessions');
  return (body['items'] as { tabletopUrl: string }[]).map(({ tabletopUrl }) =>
    Number(new URL(tabletopUrl).port),
  );
}

it('of the sessions that are over the newest are kept, up to the bound', async () => {
  const started = await start({ browserHostWaitMs: 1, maxHeadlessKept: 2 });
  for (const port of [1, 2, 3, 4]) {
    const { body } = await started.sessions.logIn(login(port));
    expect(body['code']).toBe('browser_unavailable');
  }
  expect(await listed(started)).toEqual([4, 3, 2]);
});

it('an account has as many at once as it may, and one that ends makes room', async () => {
  const started = await start({ maxHeadlessPerAccount: 2 });
  const { sessions } = started;
  const waiting = [sessions.logIn(login(1)), sessions.logIn(login(2))];
  await expect.poll(() => sessions.list()).toHaveLength(2);
  const { status, body } = await sessions.logIn(login(3));
  expect([status, body['code'], body['detail']]).toEqual([
    409,
    'conflict',
    'An account may have 2 headless sessions at once, and this one has them. End one first.',
  ]);
  for (const { sessionId } of await sessions.list()) await sessions.end(String(sessionId));
  await Promise.all(waiting);
  const next = sessions.logIn(login(3));
  await expect.poll(() => sessions.list()).toMatchObject([{ state: 'starting' }]);
  for (const { sessionId } of await sessions.list()) await sessions.end(String(sessionId));
  await next;
});

it('a new master key ends every session of the account', async () => {
  const { account, cluster, sessions } = await start({});
  // No browser host is there to end it: the relay does so as it stops, after the test.
  sessions.logIn(login(1)).catch(() => {});
  await expect.poll(() => sessions.list()).toMatchObject([{ state: 'starting' }]);
  const { email, password } = account;
  const [{ url }] = cluster.instances;
  expect((await call(url, 'POST', '/auth/regenerate-key', { body: { email, password } })).status).toBe(200);
  const row = cluster.db.selectFrom('headlessSessions').select(['state', 'detail']);
  expect(await row.execute()).toEqual([{ state: 'ending', detail: 'The master key was regenerated.' }]);
});

it('a start goes well where Postgres made it active and its answer was lost', async () => {
  const { account, cluster, sessions } = await start({ headlessStartMs: 4_000 });
  const { clientId } = await account.pair();
  const started = sessions.logIn(login(1));
  await expect.poll(() => sessions.list()).toMatchObject([{ state: 'starting' }]);
  await cluster.db.updateTable('headlessSessions').set({ state: 'active', clientId }).execute();
  expect(await started).toMatchObject({ status: 200, body: { clientId } });
  expect(await sessions.list()).toMatchObject([{ state: 'active' }]);
});

it('a start that takes too long says at which stage it was', async () => {
  const { sessions } = await start({ headlessStartMs: 300 });
  const { status, body } = await sessions.logIn(login(1));
  expect([status, body['code'], body['stage']]).toEqual([502, 'session_failed', 'queued']);
  expect(body['detail']).toMatch(/at the stage queued after/);
  expect(await sessions.list()).toEqual([]);
});

it('a start where the world is online already is a conflict that names it to a key that may reach it', async () => {
  const { account, cluster, sessions } = await start({ browserHostWaitMs: 1 });
  const [{ url }] = cluster.instances;
  const pairing = await account.pair({ worldTitle: 'The Keep' });
  const pairedOrigin = new URL(login(1).tabletopUrl).origin;
  await cluster.db.updateTable('knownClients').set({ pairedOrigin }).execute();
  const module = await connectModule(url, pairing);
  onTestFinished(() => module.close());
  const { status, body } = await sessions.logIn(login(1));
  expect([status, body['code'], body['clientId']]).toEqual([409, 'conflict', pairing.clientId]);
  const elsewhere = await account.pair();
  const limited = sessionCaller(url, await account.createKey({ clientIds: [elsewhere.clientId] }));
  const unnamed = await limited.logIn(login(1));
  expect([unnamed.status, unnamed.body['detail']]).toEqual([
    409,
    'A world of this tabletop is online already.',
  ]);
  expect(JSON.stringify(unnamed.body)).not.toContain(pairing.clientId);
  // Another world of the same tabletop may be started: the tabletop itself says what runs.
  const other = await sessions.logIn({ ...login(1), worldName: 'Atlantis' });
  expect(other.body['code']).toBe('browser_unavailable');
});
