import { createTestDatabase, findFreePort, measureRunningTime, startRedis } from '@tabletop-relay/testing';
import type { TestDatabase, TestRedis, WireFrame } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { good, makeEveryCredential } from '../backup/every-credential.ts';
import { startRelayProcess } from '../process.ts';
import type { RelayProcess } from '../process.ts';
import { openSse } from '../streams/sse.ts';
import { unpackReleaseBefore } from './release-before.ts';

const release = unpackReleaseBefore();
let redis: TestRedis;
let database: TestDatabase;
let relays: { before: RelayProcess; here: RelayProcess };

beforeAll(async () => {
  // The database has the migrations of this release.
  [redis, database] = await Promise.all([startRedis(), createTestDatabase()]);
  if (!release.runsBeside) return;
  const [before, here] = await Promise.all([start('before', release.app), start('here')]);
  relays = { before, here };
});
afterAll(async () => {
  await Promise.all(Object.values(relays ?? {}).map((relay) => relay.end('SIGKILL')));
  release.remove();
  await Promise.all([redis.stop(), database.drop()]);
});

async function start(instanceId: string, app?: string): Promise<RelayProcess> {
  return startRelayProcess({
    port: await findFreePort(),
    databaseUrl: database.url,
    redisUrl: redis.url,
    instanceId,
    ...(app && { app }),
  });
}

it.runIf(!release.runsBeside).each([
  ['before', release.app, undefined],
  ['here', undefined, release.app],
])(
  'one of another protocol does not start beside a relay of the release %s, and says why',
  async (_version, first, second) => {
    const running = await start('first', first);
    onTestFinished(async () => {
      await running.end('SIGKILL');
      await redis.restart();
    });
    await expect(start('second', second)).rejects.toThrow('instances of a version that these cannot talk to');
    expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
  },
);

/** A revocation holds everywhere within this time. */
const withinMs = 1_000;

describe.skipIf(!release.runsBeside).each([
  ['before', 'here'],
  ['here', 'before'],
] as const)('callers at the release %s and worlds at the one %s', (asker, owner) => {
  /** An account of the asker's, and a world of it that is connected to the owner. */
  async function setUp(answer?: (command: WireFrame) => object) {
    const [near, far] = [relays[asker].url, relays[owner].url];
    const account = await createAccount(near);
    const pairing = await account.pair();
    const module = await connectModule(far, pairing, answer);
    onTestFinished(() => module.cut());
    const headers = { 'x-api-key': await account.createKey() };
    const check = (actorUuid: string, signal?: AbortSignal) =>
      call(near, 'POST', `/sys5e/skill-check?clientId=${pairing.clientId}`, {
        headers,
        body: { actorUuid, skill: 'prc' },
        ...(signal && { signal }),
      });
    return { near, far, account, pairing, module, headers, check };
  }

  it('calls and their answers arrive whole, whatever their size', async () => {
    // Bodies are published, stored for their owner, or come in chunks, by their size.
    const sizes = [10, 40_000, 400_000];
    const { near, pairing, headers } = await setUp(({ data }) => ({ uuid: 'Item.a', entity: data }));
    const path = `/create?clientId=${pairing.clientId}`;
    const answers = await Promise.all(
      sizes.map((size) => {
        const data = { text: 'ü'.repeat(size) };
        return call(near, 'POST', path, { headers, body: { entityType: 'Item', data } });
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(sizes.map(() => 200));
    const texts = answers.map(({ body }) => (body['entity'] as { text: string }).text);
    expect(texts.every((text, index) => text === 'ü'.repeat(sizes[index] ?? 0))).toBe(true);
  });

  it('calls that run at once get their own answers', async () => {
    const { check } = await setUp(({ actorUuid }) => ({ data: { actorUuid } }));
    const actors = Array.from({ length: 50 }, (_, index) => `Actor.${index}`);
    const answers = await Promise.all(actors.map((actorUuid) => check(actorUuid)));
    expect(answers.map(({ body }) => body['data'])).toEqual(actors.map((actorUuid) => ({ actorUuid })));
  });

  it('a world that fails is answered in words', async () => {
    const { check } = await setUp(() => ({ error: 'Actor not found' }));
    expect(await check('Actor.a')).toMatchObject({ status: 422, body: { code: 'operation_failed' } });
  });

  it('a caller that hangs up cancels its call', async () => {
    const { check, module } = await setUp();
    const hangUp = new AbortController();
    const answer = check('Actor.a', hangUp.signal);
    const { requestId } = await module.next('skill-check');
    hangUp.abort();
    await expect(answer).rejects.toThrow('aborted');
    expect(await module.next('cancel')).toMatchObject({ requestId });
  });

  it('a world that is lost fails its call at once', async () => {
    const { check, module } = await setUp();
    const answer = check('Actor.a');
    await module.next('skill-check');
    module.cut();
    expect(await answer).toMatchObject({ status: 502, body: { code: 'client_lost', outcome: 'unknown' } });
  });

  it('a listener hears the events of the world, and misses none when it comes back elsewhere', async () => {
    const { near, far, pairing, module, headers } = await setUp();
    const listen = async (url: string, lastId?: string) => {
      const address = `${url}/encounters/subscribe?clientId=${pairing.clientId}`;
      const reader = await openSse(address, { headers, ...(lastId !== undefined && { lastId }) });
      onTestFinished(() => reader.close());
      expect(reader.status).toBe(200);
      return reader;
    };
    const tell = (turn: number) =>
      module.send({ type: 'combat-event', data: { eventType: 'turn', encounterId: 'a', turn } });
    const isWanted = () =>
      module.received.findLast(
        ({ type, channel }) => type === 'event-subscription-update' && channel === 'combat-events',
      )?.['count'];
    const first = await listen(near);
    await expect.poll(isWanted).toBe(1);
    tell(1);
    const { id } = await first.next('combat-turn');
    first.close();
    tell(2);
    const second = await listen(far, id);
    tell(3);
    await expect.poll(() => second.data()).toMatchObject([{ turn: 2 }, { turn: 3 }]);
    expect((await second.next('connected')).data).toMatchObject({ recovered: true });
  });

  it('what one made the other takes: credentials, codes and the first half of a sign-in', async () => {
    const { use } = await makeEveryCredential(relays[asker].url);
    expect(await use(relays[owner].url, relays[asker].url)).toEqual(good);
  });

  it('both say which worlds are online', async () => {
    const { near, far, pairing, headers } = await setUp();
    for (const url of [near, far]) {
      const { body } = await call(url, 'GET', '/clients', { headers });
      expect(body['clients']).toMatchObject([{ clientId: pairing.clientId, isOnline: true }]);
    }
  });

  it('what one revokes the other no longer takes', async () => {
    const { near, far, account, module, headers } = await setUp();
    const isRefused = async (credential: Record<string, string>) =>
      (await call(far, 'GET', '/clients', { headers: credential })).status;
    expect(await isRefused(headers)).toBe(200);
    const list = await account.as('GET', '/auth/api-keys?limit=10');
    const [key] = list.body['items'] as { id: string }[];
    const ranMs = measureRunningTime();
    expect((await account.as('DELETE', `/auth/api-keys/${key?.id}`)).status).toBe(200);
    await expect.poll(() => isRefused(headers), { interval: 20 }).toBe(401);
    const tokens = await account.as('GET', '/auth/connection-tokens?limit=10');
    const [token] = tokens.body['items'] as { id: string }[];
    expect((await account.as('DELETE', `/auth/connection-tokens/${token?.id}`)).status).toBe(200);
    expect(await module.closed).toMatchObject({ code: 4002 });
    expect(ranMs()).toBeLessThan(2 * withinMs);
    expect((await call(near, 'GET', '/clients', { headers })).status).toBe(401);
  });

  it('a second connection of a world is refused while the first lives', async () => {
    const { near, pairing, module } = await setUp();
    const second = await connectModule(near, pairing).catch(String);
    expect(second).toContain('no auth-success frame');
    expect(module.socket.readyState).toBe(module.socket.OPEN);
  });
});
