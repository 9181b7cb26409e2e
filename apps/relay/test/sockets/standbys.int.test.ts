import { createAccountClient } from '@tabletop-relay/sdk';
import { connectFakeModule, findFreePort } from '@tabletop-relay/testing';
import type { FakeModule, WireFrame } from '@tabletop-relay/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { bearer, call, connectModule, createAccount } from '../account.ts';
import type { Pairing, TestAccount } from '../account.ts';
import { drivers, startTwo } from '../drivers.ts';
import type { TwoInstances } from '../drivers.ts';
import { startRelayProcess } from '../process.ts';

const soon = { timeout: 10_000, interval: 5 };
const heartbeatMs = 3_000;

describe.each(drivers)('with the %s drivers, a browser that waits', (driver) => {
  let two: TwoInstances;
  let urls: readonly [string, string];
  let account: TestAccount;
  let key: string;
  let open: FakeModule[] = [];

  beforeAll(async () => {
    two = await startTwo(driver, { config: { heartbeatMs } });
    urls = [two.first.url, two.second.url];
    account = await createAccount(urls[0]);
    key = await account.createKey();
  });
  afterEach(() => {
    for (const module of open) module.cut();
    open = [];
  });
  afterAll(() => two.stop());

  const answerBy = (by: string) => (command: WireFrame) => ({ by, asked: command['requestId'] });
  async function serving(at: string, pairing: Pairing, by = 'first'): Promise<FakeModule> {
    const module = await connectModule(at, pairing, answerBy(by), { declares: { standby: true } });
    open.push(module);
    return module;
  }
  async function waiting(at: string, pairing: Pairing, by = 'next'): Promise<FakeModule> {
    const declares = { standby: true };
    const module = await connectFakeModule({ url: at, ...pairing, declares, answer: answerBy(by) });
    open.push(module);
    await module.next('standby');
    return module;
  }
  const players = (pairing: Pairing, at = urls[0]) =>
    call(at, 'GET', `/players?clientId=${pairing.clientId}`, { headers: { 'x-api-key': key } });
  /** An instance takes the leap for a sleep of its machine, and may act again when it has renewed its lease. */
  const pass6s = async (pairing: Pairing) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6_000 });
    onTestFinished(() => void vi.useRealTimers());
    await expect.poll(async () => (await players(pairing)).status, soon).toBe(200);
  };
  const known = async (pairing: Pairing, at = urls[0]) => {
    const { body } = await call(at, 'GET', '/auth/known-clients?limit=100', {
      headers: bearer(account.sessionToken),
    });
    const items = body['items'] as {
      clientId: string;
      standbys: { standbyId: string; tokenName: string }[];
    }[];
    return items.find(({ clientId }) => clientId === pairing.clientId)!;
  };
  const counted = async (pairing: Pairing) => {
    const { body } = await call(urls[0], 'GET', '/clients', { headers: { 'x-api-key': key } });
    const clients = body['clients'] as { clientId: string; standbys: number }[];
    return clients.find(({ clientId }) => clientId === pairing.clientId)?.standbys;
  };
  const outcomes = async (pairing: Pairing) =>
    (
      await two.cluster.db
        .selectFrom('connectionLogs')
        .select(['outcome'])
        .where('clientId', '=', pairing.clientId)
        .orderBy('at')
        .execute()
    ).map(({ outcome }) => outcome);

  it('is told so, counted, named and recorded, and gets no command and sends no event', async () => {
    const pairing = await account.pair();
    const first = await serving(urls[0], pairing);
    const next = await waiting(urls[1], pairing);
    expect(next.received).toEqual([
      { type: 'standby', instanceId: 'test-2', clientId: pairing.clientId, heartbeatMs },
    ]);
    expect(await counted(pairing)).toBe(1);
    expect((await known(pairing)).standbys).toMatchObject([{ instanceId: 'test-2' }]);
    await expect.poll(() => outcomes(pairing), soon).toEqual(['connected', 'standby']);
    next.send({ type: 'ping' });
    await next.next('pong');
    next.send({ type: 'chat-event', data: {}, requestId: 'event_1' });
    expect(await next.next('error')).toMatchObject({ code: 'standby', requestId: 'event_1' });
    expect((await players(pairing, urls[1])).body).toMatchObject({ by: 'first' });
    expect(next.count('players')).toBe(0);
    await next.close();
    await expect.poll(() => counted(pairing), soon).toBe(0);
    expect(first.count('players')).toBe(1);
  });

  it('is refused as ever where its module does not say that it waits, and is one of five', async () => {
    const pairing = await account.pair();
    await serving(urls[0], pairing);
    const silent = await connectFakeModule({ url: urls[1], ...pairing });
    expect((await silent.closed).code).toBe(4004);
    for (let count = 0; count < 5; count++) await waiting(urls[count % 2]!, pairing);
    const sixth = await connectFakeModule({ url: urls[1], ...pairing, declares: { standby: true } });
    expect(await sixth.closed).toEqual({ code: 4004, reason: 'Five browsers of this world wait already' });
    expect(await counted(pairing)).toBe(5);
  });

  it.each([0, 1])('serves when the other closes, while it is called (on instance %i)', async (at) => {
    const pairing = await account.pair();
    const first = await serving(urls[0], pairing);
    const next = await waiting(urls[at]!, pairing);
    const calls: ReturnType<typeof players>[] = [];
    const caller = setInterval(() => calls.push(players(pairing, urls[calls.length % 2])), 20);
    onTestFinished(() => clearInterval(caller));
    await vi.waitFor(() => expect(first.count('players')).toBeGreaterThan(5), soon);
    first.cut();
    await next.next('auth-success');
    await vi.waitFor(() => expect(next.count('players')).toBeGreaterThan(5), soon);
    clearInterval(caller);
    const answers = await Promise.all(calls);
    const failures = answers.filter(({ status }) => status !== 200).map(({ body }) => body);
    for (const failure of failures) {
      expect([
        { code: 'client_lost', outcome: 'unknown' },
        { code: 'unavailable', outcome: 'not_sent' },
      ]).toContainEqual({ code: failure['code'], outcome: failure['outcome'] });
    }
    const sent = [first, next].flatMap(({ received }) =>
      received.filter(({ type }) => type === 'players').map(({ requestId }) => requestId),
    );
    const answered = answers.flatMap(({ body }) => body['asked'] ?? []);
    expect(sent.length).toBeLessThanOrEqual(calls.length);
    expect(sent.length).toBeGreaterThanOrEqual(answered.length);
    await expect
      .poll(() => outcomes(pairing), soon)
      .toEqual(['connected', 'standby', 'disconnected', 'connected']);
    expect(await counted(pairing)).toBe(0);
  });

  it('serves 2 s after a ping of the heartbeat that the other does not answer', async () => {
    const pairing = await account.pair();
    const first = await serving(urls[0], pairing);
    const next = await waiting(urls[1], pairing);
    first.pause();
    const since = performance.now();
    await next.next('auth-success', 20_000);
    expect(performance.now() - since).toBeGreaterThan(2_000);
    expect((await players(pairing)).body).toMatchObject({ by: 'next' });
  });

  it('takes over by a frame of its own, and the other is told to come back', async () => {
    const pairing = await account.pair();
    const first = await serving(urls[0], pairing);
    const next = await waiting(urls[1], pairing);
    next.send({ type: 'serve', requestId: 'serve_1' });
    expect(await next.next('error')).toMatchObject({ code: 'rate_limited', requestId: 'serve_1' });
    await pass6s(pairing);
    next.send({ type: 'serve', requestId: 'serve_2' });
    expect(await next.next('auth-success')).toMatchObject({ requestId: 'serve_2' });
    await expect.poll(async () => (await players(pairing)).body, soon).toMatchObject({ by: 'next' });
    expect((await first.closed).code).toBe(1012);
    await waiting(urls[0], pairing);
    await expect
      .poll(async () => (await outcomes(pairing)).toSorted(), soon)
      .toEqual(['connected', 'connected', 'handed_over', 'standby', 'standby']);
  });

  it('takes over when its owner says so in the dashboard, whatever instance that asks', async () => {
    const pairing = await account.pair();
    await serving(urls[0], pairing);
    const next = await waiting(urls[1], pairing);
    await pass6s(pairing);
    const [{ standbyId } = { standbyId: '' }] = (await known(pairing)).standbys;
    const path = `/auth/known-clients/${pairing.clientId}/serve`;
    const answer = await account.as('POST', path, { standbyId });
    expect(answer).toMatchObject({ status: 200, body: { isOnline: true, standbys: [] } });
    await next.next('auth-success');
    await expect.poll(async () => (await players(pairing)).body, soon).toMatchObject({ by: 'next' });
    expect(await account.as('POST', path, { standbyId })).toMatchObject({ status: 404 });
    const stranger = await createAccount(urls[1]);
    expect(await stranger.as('POST', path, { standbyId })).toMatchObject({ status: 404 });
  });

  it('is sent away when its token is revoked, and serves a world that is paused', async () => {
    const pairing = await account.pair({ worldId: 'revoked' });
    const client = createAccountClient({ url: urls[0], headers: bearer(account.sessionToken) });
    const { code } = await client.createPairingCode();
    const { clientId } = pairing;
    const other = await client.pair({
      code,
      worldId: 'revoked',
      worldTitle: 'x',
      existingClientId: clientId,
    });
    expect(other.clientId).toBe(clientId);
    const first = await serving(urls[0], pairing);
    const [refused, next] = [await waiting(urls[1], other), await waiting(urls[1], pairing)];
    const tokens = (await account.as('GET', '/auth/connection-tokens?limit=100')).body['items'] as {
      id: string;
      clientId: string;
    }[];
    const [newest] = tokens.filter((token) => token.clientId === clientId);
    await account.as('DELETE', `/auth/connection-tokens/${newest?.id}`);
    expect((await refused.closed).code).toBe(4002);
    await account.as('POST', `/auth/known-clients/${clientId}/pause`);
    first.cut();
    expect(await next.next('auth-success')).toMatchObject({ pauses: [{ setIn: 'relay' }] });
    expect((await players(pairing)).body).toMatchObject({ code: 'paused' });
  });

  it('goes on waiting elsewhere when its instance drains, and the world stays with its browser', async () => {
    const third = await two.cluster.add();
    const pairing = await account.pair();
    await serving(urls[0], pairing);
    const next = await waiting(third.url, pairing);
    const drained = third.relay.drain();
    expect((await next.closed).code).toBe(1012);
    await waiting(urls[1], pairing);
    expect((await players(pairing)).body).toMatchObject({ by: 'first' });
    await drained;
  });
});

it('a browser that waits serves 3 to 6 s after the instance of the other is killed', async () => {
  const two = await startTwo('redis');
  onTestFinished(() => two.stop());
  const killed = await startRelayProcess({
    port: await findFreePort(),
    databaseUrl: two.cluster.databaseUrl,
    redisUrl: two.redis!.url,
    instanceId: 'killed',
  });
  onTestFinished(() => void killed.end('SIGKILL'));
  const account = await createAccount(two.first.url);
  const pairing = await account.pair();
  const declares = { standby: true };
  await connectModule(killed.url, pairing, undefined, { declares });
  const waiting = await Promise.all(
    [two.first.url, two.second.url, two.first.url].map(async (url) => {
      const module = await connectFakeModule({ url, ...pairing, declares, answer: () => ({ by: 'next' }) });
      await module.next('standby');
      return module;
    }),
  );
  const since = performance.now();
  await killed.end('SIGKILL');
  await vi.waitFor(() => expect(waiting.filter((one) => one.count('auth-success') > 0)).toHaveLength(1), {
    timeout: 20_000,
    interval: 5,
  });
  expect(performance.now() - since).toBeGreaterThan(3_000);
  const headers = { 'x-api-key': await account.createKey() };
  const answer = await call(two.second.url, 'GET', `/players?clientId=${pairing.clientId}`, { headers });
  expect(answer.body).toMatchObject({ by: 'next' });
  expect(waiting.reduce((sum, one) => sum + one.count('auth-success'), 0)).toBe(1);
  for (const module of waiting) module.cut();
}, 120_000);
