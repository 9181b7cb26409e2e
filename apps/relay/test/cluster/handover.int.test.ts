import type { FakeModule } from '@tabletop-relay/testing';
import { connectFakeModule, createTestDatabase, findFreePort } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { drivers, startTwo } from '../drivers.ts';
import type { TwoInstances } from '../drivers.ts';
import { startInstances } from '../instances.ts';
import type { TestInstance } from '../instances.ts';
import { startRelayProcess } from '../process.ts';

describe.each(drivers)('a world whose instance drains, over %s', (driver) => {
  let two: TwoInstances;
  let staying: TestInstance;
  let account: TestAccount;
  let headers: Record<string, string>;
  beforeAll(async () => {
    two = await startTwo(driver, {
      config: { drainSpreadMs: 500, drainGraceMs: 25_000, heartbeatMs: 1_000 },
    });
    staying = two.second;
    account = await createAccount(staying.url);
    headers = { 'x-api-key': await account.createKey() };
  });
  afterAll(() => two.stop());

  interface Leaving {
    instance: TestInstance;
    pairing: Pairing;
    module: FakeModule;
    handover: string;
    drained: Promise<void>;
  }

  /** A world that has just been told to come over. Its module answers with its own name. */
  async function startLeaving(): Promise<Leaving> {
    const instance = await two.cluster.add();
    const pairing = await account.pair();
    const module = await connectModule(instance.url, pairing, answerAs('old'));
    const drained = instance.stop();
    const { handover } = await module.next('reconnect');
    return { instance, pairing, module, drained, handover: String(handover) };
  }

  const answerAs = (name: string) => () => ({ users: [name] });
  const players = async (at: TestInstance, { clientId }: Pairing) => {
    const { status, body } = await call(at.url, 'GET', `/players?clientId=${clientId}`, { headers });
    return status === 200 ? body['users'] : { status, outcome: body['outcome'] };
  };
  const connect = ({ clientId, token }: Pairing, handover: string, name = 'new') =>
    connectFakeModule({ url: staying.url, clientId, answer: answerAs(name) }).then((module) => {
      module.send({ type: 'auth', token, handover });
      return module;
    });

  it('is served until it has come over, and from then on by its next socket, through either instance', async () => {
    const { instance, pairing, module, handover, drained } = await startLeaving();
    expect(await players(staying, pairing)).toEqual(['old']);
    expect(await players(instance, pairing)).toEqual(['old']);
    const next = await connect(pairing, handover);
    await next.next('auth-success');
    expect(await players(staying, pairing)).toEqual(['new']);
    expect(await players(instance, pairing)).toEqual(['new']);
    expect((await module.closed).code).toBe(1012);
    expect(await players(staying, pairing)).toEqual(['new']);
    await drained;
    await next.close();
  });

  it('keeps its calls in flight on the socket that they were sent down', async () => {
    const { instance, pairing, module, handover } = await startLeaving();
    module.socket.removeAllListeners('message');
    const commands: { requestId: string }[] = [];
    module.socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as { type: string; requestId: string };
      if (frame.type === 'players') commands.push(frame);
    });
    const calls = [players(staying, pairing), players(instance, pairing)];
    await expect.poll(() => commands.length).toBe(2);
    const next = await connect(pairing, handover);
    await next.next('auth-success');
    for (const { requestId } of commands) module.send({ type: 'players-result', requestId, users: ['late'] });
    expect(await Promise.all(calls)).toEqual([['late'], ['late']]);
    expect((await module.closed).code).toBe(1012);
    await next.close();
  });

  it('opens to no other browser, with a wrong handover, another world’s or none', async () => {
    const [one, other] = [await startLeaving(), await startLeaving()];
    for (const handover of ['', 'x'.repeat(24), 'x'.repeat(5_000), other.handover]) {
      const stranger = await connect(one.pairing, handover, 'stranger');
      expect((await stranger.closed).code).toBe(4004);
    }
    const next = await connect(one.pairing, one.handover);
    await next.next('auth-success');
    const late = await connect(one.pairing, one.handover, 'late');
    expect((await late.closed).code).toBe(4004);
    expect(await players(staying, one.pairing)).toEqual(['new']);
    await next.close();
    await other.module.close();
  });

  it('that closes its socket when it is told is 503 until it is back, not offline', async () => {
    const { pairing, module, drained } = await startLeaving();
    await module.close();
    await drained;
    expect(await players(staying, pairing)).toEqual({ status: 503, outcome: 'not_sent' });
  });

  it('is pinged, and is closed when its token is revoked', async () => {
    const { pairing, module, drained } = await startLeaving();
    const pinged = new Promise((resolve) => module.socket.once('ping', resolve));
    await pinged;
    const { body } = await account.as('GET', '/auth/connection-tokens');
    const tokens = body['items'] as { id: string; clientId: string }[];
    const id = tokens.find(({ clientId }) => clientId === pairing.clientId)?.id;
    await account.as('DELETE', `/auth/connection-tokens/${id}`);
    expect((await module.closed).code).toBe(4002);
    await expect.poll(() => players(staying, pairing)).toMatchObject({ status: 404 });
    await drained;
  });

  it('leaves no handover in any log', async () => {
    const { pairing, module, handover } = await startLeaving();
    const next = await connect(pairing, handover);
    await next.next('auth-success');
    await module.closed;
    expect(handover).toHaveLength(24);
    expect(JSON.stringify(two.cluster.logs)).not.toContain(handover);
    await next.close();
  });
});

it('worlds that do not come are each closed at their own time, and are 503 until they are back', async () => {
  const drainGraceMs = 700;
  const cluster = await startInstances({ count: 2, config: { drainSpreadMs: 1_500, drainGraceMs } });
  onTestFinished(() => cluster.stop());
  const [leaving, staying] = cluster.instances as [TestInstance, TestInstance];
  const account = await createAccount(staying.url);
  const headers = { 'x-api-key': await account.createKey() };
  const answer = () => ({ users: [] });
  const connected = Array.from({ length: 5 }, async () => {
    const pairing = await account.pair();
    return { pairing, module: await connectModule(leaving.url, pairing, answer) };
  });
  const worlds = await Promise.all(connected);
  const stopped = leaving.stop();
  const ends = worlds.map(async ({ pairing, module }) => {
    const players = () => call(staying.url, 'GET', `/players?clientId=${pairing.clientId}`, { headers });
    const { afterMs } = await module.next('reconnect');
    const toldAt = performance.now();
    expect((await players()).status).toBe(200);
    expect((await module.closed).code).toBe(1012);
    expect(performance.now() - toldAt).toBeGreaterThan(Number(afterMs) + drainGraceMs - 50);
    expect(await players()).toMatchObject({
      status: 503,
      body: { code: 'unavailable', outcome: 'not_sent' },
    });
    await connectModule(staying.url, pairing, answer);
    expect((await players()).status).toBe(200);
    return Number(afterMs);
  });
  const times = await Promise.all(ends);
  expect(new Set(times).size).toBeGreaterThan(1);
  await stopped;
});

it('a relay without Redis hands nothing over, and lets its modules go at once', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const relay = await startRelayProcess({
    port: await findFreePort(),
    databaseUrl: database.url,
    instanceId: 'alone',
    env: { DRAIN_WAIT_MS: '0', DRAIN_GRACE_MS: '60000' },
  });
  onTestFinished(() => void relay.end('SIGKILL'));
  const account = await createAccount(relay.url);
  const module = await connectModule(relay.url, await account.pair());
  const ended = relay.end('SIGTERM');
  const reconnect = await module.next('reconnect');
  expect(reconnect['handover']).toBeUndefined();
  expect((await module.closed).code).toBe(1012);
  await ended;
});
