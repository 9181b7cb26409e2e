import type { Scope } from '@tabletop-relay/contract';
import { measureRunningTime } from '@tabletop-relay/testing';
import type { FakeModule } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTwo } from '../drivers.ts';
import type { TwoInstances } from '../drivers.ts';
import { openSse } from './sse.ts';
import type { SseOptions } from './sse.ts';

const within = { timeout: 15_000, interval: 5 };

let two: TwoInstances;
let account: TestAccount;
let world: Pairing;
let module: FakeModule;
beforeAll(async () => {
  two = await startTwo('redis', { config: { streamsPerKey: 3, streamsPerAccount: 5 } });
  account = await createAccount(two.first.url);
  world = await account.pair();
  module = await connectModule(two.first.url, world);
});
afterAll(async () => {
  await module.close();
  await two.stop();
});

const scopes: Scope[] = ['events:subscribe'];
const combat = () => `/encounters/subscribe?clientId=${world.clientId}`;
const open = (path: string, options: SseOptions = {}, at = two.second) => openSse(at.url + path, options);

async function keyWithId(terms: object = {}): Promise<{ id: string; key: string }> {
  const { body } = await account.as('POST', '/auth/api-keys', { name: 'stream', scopes, ...terms });
  return { id: String(body['id']), key: String(body['apiKey']) };
}

describe('a stream is refused before it opens', () => {
  it.each([
    ['/actor/subscribe?actorUuid=', 'actorUuid'],
    ['/actor/subscribe?actorUuid=a&actorUuid=b', 'actorUuid'],
    ['/hooks/subscribe?hooks=,', 'hooks'],
    ['/hooks/subscribe?userId=gm', 'userId'],
    ['/encounters/subscribe?actingUserId=gm', 'actingUserId'],
    ['/rolls/subscribe?whisper=gm', 'whisper'],
    ['/actor/subscribe?actor_uuid=Actor.mira', 'actor_uuid'],
    ['/scene/subscribe?constructor=x', 'constructor'],
    ['/chat/subscribe?chatType=loud', 'chatType'],
    ['/chat/subscribe?type=', 'type'],
    ['/chat/subscribe?chatType=4&type=5', 'type'],
    ['/chat/subscribe?whisperOnly=', 'whisperOnly'],
    ['/rolls/subscribe?lastEventId=a&lastEventId=b', 'lastEventId'],
    ['/rolls/subscribe?lastEventId=a&Last-Event-ID=b', 'lastEventId'],
    [`/scene/subscribe?sceneId=${'x'.repeat(1_025)}`, 'sceneId'],
  ])('for the query %s', async (path, field) => {
    const { key } = await keyWithId();
    const address = `${path}${path.includes('?') ? '&' : '?'}clientId=${world.clientId}`;
    const { status, problem } = await open(address, { key });
    expect(status).toBe(400);
    expect(problem).toMatchObject({ code: 'invalid_request', errors: [{ field, place: 'query' }] });
  });

  it('without a key, with a wrong one, without the scope, for a world of others', async () => {
    const other = await createAccount(two.first.url);
    const foreign = await other.pair();
    const reader = await account.createKey({ scopes: ['clients:read'] });
    const key = await account.createKey({ scopes });
    expect(await open(combat())).toMatchObject({ status: 401, problem: { code: 'key_missing' } });
    expect(await open(combat(), { key: 'trk_nonsense' })).toMatchObject({ problem: { code: 'key_invalid' } });
    expect(await open(combat(), { key: reader })).toMatchObject({
      status: 403,
      problem: { code: 'scope_missing' },
    });
    for (const clientId of [foreign.clientId, 'nobody']) {
      const refused = await open(`/encounters/subscribe?clientId=${clientId}`, { key });
      expect(refused).toMatchObject({ status: 404, problem: { code: 'client_not_found' } });
    }
    const picky = await open(combat(), { key, headers: { accept: 'application/json' } });
    expect(picky).toMatchObject({ status: 400, problem: { errors: [{ field: 'accept' }] } });
  });

  it('where the key or the account has too many already, over all instances', async () => {
    const { key } = await keyWithId();
    const readers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => open(combat(), { key }, index % 2 ? two.first : two.second)),
    );
    const opened = readers.filter(({ status }) => status === 200);
    expect(opened).toHaveLength(3);
    for (const { status, problem, headers } of readers.filter((one) => !opened.includes(one))) {
      expect(status).toBe(429);
      expect(problem).toMatchObject({ code: 'rate_limited' });
      expect(headers).toMatchObject({ 'retry-after': '5', 'ratelimit-limit': '3' });
    }
    const more = await keyWithId();
    const others = await Promise.all(Array.from({ length: 3 }, () => open(combat(), { key: more.key })));
    expect(others.filter(({ status }) => status === 200)).toHaveLength(2);
    for (const reader of [...readers, ...others]) reader.close();
    await vi.waitFor(async () => {
      const again = await open(combat(), { key });
      again.close();
      expect(again.status).toBe(200);
    }, within);
  });
});

describe('the streams of a key end within a second', () => {
  it.each([
    ['it is revoked', (id: string) => account.as('DELETE', `/auth/api-keys/${id}`)],
    [
      'it loses the scope',
      (id: string) => account.as('PATCH', `/auth/api-keys/${id}`, { scopes: ['clients:read'] }),
    ],
    [
      'it is bound to another world',
      async (id: string) => {
        const { clientId } = await account.pair();
        await account.as('PATCH', `/auth/api-keys/${id}`, { clientIds: [clientId] });
      },
    ],
    [
      'it expires',
      async (id: string) => {
        const expiresAt = Date.now() + 300;
        await account.as('PATCH', `/auth/api-keys/${id}`, { expiresAt: new Date(expiresAt).toISOString() });
        await vi.waitUntil(() => Date.now() >= expiresAt, within);
      },
    ],
  ])('when %s', async (_what, change) => {
    const { id, key } = await keyWithId();
    const kept = await open(combat(), { key: await account.createKey({ scopes }) });
    const readers = [await open(combat(), { key }, two.first), await open(combat(), { key }, two.second)];
    await change(id);
    const ranMs = measureRunningTime();
    await Promise.all(readers.map(({ closed }) => closed));
    expect(ranMs()).toBeLessThan(1_000);
    expect(kept.isClosed()).toBe(false);
    kept.close();
  });

  it('when its world is deleted, and not when another key changes', async () => {
    const doomed = await account.pair();
    const key = await account.createKey({ scopes });
    const reader = await open(`/encounters/subscribe?clientId=${doomed.clientId}`, { key });
    expect(reader.status).toBe(200);
    await account.as('DELETE', `/auth/known-clients/${doomed.clientId}`);
    await reader.closed;
  });

  it.each([
    [
      'the master key, when it is regenerated',
      async ({ email, password }: TestAccount) => {
        const { status } = await call(two.first.url, 'POST', '/auth/regenerate-key', {
          body: { email, password },
        });
        expect(status).toBe(200);
      },
    ],
    [
      'an account that is deleted',
      (own: TestAccount) => own.as('DELETE', '/auth/account', { password: own.password }),
    ],
  ])('of %s', async (_what, change) => {
    const own = await createAccount(two.first.url);
    const { clientId } = await own.pair();
    const reader = await open(`/encounters/subscribe?clientId=${clientId}`, { key: own.masterKey });
    expect(reader.status).toBe(200);
    await change(own);
    const ranMs = measureRunningTime();
    await reader.closed;
    expect(ranMs()).toBeLessThan(1_000);
  });
});
