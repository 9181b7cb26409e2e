import type { Scope } from '@tabletop-relay/contract';
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
  two = await startTwo('redis', { config: { streamsPerKey: 3 } });
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

describe('a ticket', () => {
  async function issue(query: Record<string, string> = {}) {
    const key = await account.createKey({ scopes });
    const body = { path: '/encounters/subscribe', query: { clientId: world.clientId, ...query } };
    const answer = await call(two.first.url, 'POST', '/events/tickets', {
      body,
      headers: { 'x-api-key': key },
    });
    expect(answer).toMatchObject({ status: 200, body: { expiresIn: 60 } });
    const ticket = String(answer.body['ticket']);
    expect(answer.body['url']).toBe(`${two.first.url}/encounters/subscribe?ticket=${ticket}`);
    return { key, path: `/encounters/subscribe?ticket=${ticket}` };
  }

  const turn = (encounterId: string) =>
    module.send({ type: 'combat-event', data: { eventType: 'turn', encounterId } });

  it('opens its stream once, on any instance, and again to who proves to have been there', async () => {
    const { path } = await issue({ encounterId: 'a' });
    const first = await open(path);
    const { id } = await first.next('connected');
    expect(id).toMatch(/^[\w-]{16}:\d+:[\w-]{22}$/);
    await vi.waitFor(() => {
      turn('b');
      turn('a');
      expect(first.data()[0]).toMatchObject({ encounterId: 'a' });
    }, within);
    expect(first.data().every(({ encounterId }) => encounterId === 'a')).toBe(true);
    // The used ticket alone is worth nothing, nor is the place in the stream without the proof.
    for (const lastId of [
      undefined,
      id.split(':').slice(0, 2).join(':'),
      `${id.slice(0, -22)}${'A'.repeat(22)}`,
    ]) {
      const refused = await open(path, lastId === undefined ? {} : { lastId });
      expect(refused).toMatchObject({ status: 401, problem: { code: 'key_invalid' } });
    }
    const lastId = first.lastId();
    const second = await open(path, { lastId }, two.first);
    expect((await second.next('connected')).data).toMatchObject({ recovered: true });
    // It takes over from the connection before it.
    await first.closed;
    second.close();
    const third = await open(path, { lastId: second.lastId() });
    expect(third.status).toBe(200);
    third.close();
  });

  it('is shown again with the id in its address, by who can send no header', async () => {
    const { path } = await issue();
    const first = await open(path);
    await first.next('connected');
    const withId = (name: string, id: string) => `${path}&${name}=${encodeURIComponent(id)}`;
    const second = await open(withId('lastEventId', first.lastId()), {}, two.first);
    expect((await second.next('connected')).data).toMatchObject({ recovered: true });
    await first.closed;
    const lastId = second.lastId();
    second.close();
    // Whoever sends both has written the address earlier.
    const third = await open(withId('Last-Event-ID', first.lastId()), { lastId });
    expect((await third.next('connected')).data).toMatchObject({ recovered: true });
    third.close();
    const refused = await open(withId('lastEventId', `${lastId.slice(0, -22)}${'A'.repeat(22)}`));
    expect(refused).toMatchObject({ status: 401, problem: { code: 'key_invalid' } });
  });

  it('may be made to resume a stream, and names what stands for nothing', async () => {
    const before = await open(combat(), { key: await account.createKey({ scopes }) });
    await before.next('connected');
    const lastEventId = before.lastId();
    before.close();
    const { path } = await issue({ lastEventId, sceneId: 'chapel' });
    const reader = await open(path, {}, two.first);
    expect(reader.headers['x-ignored-parameters']).toBe('sceneId');
    expect((await reader.next('connected')).data).toMatchObject({ recovered: true });
    reader.close();
  });

  it('opens no other stream, nor with anything beside it, nor once its key is gone', async () => {
    const { path } = await issue();
    const other = path.replace('/encounters/', '/hooks/');
    expect((await open(other)).status).toBe(401);
    const second = await issue();
    expect((await open(`${second.path}&clientId=${world.clientId}`)).status).toBe(400);
    const [used, unused] = [await issue(), await issue()];
    const reader = await open(used.path);
    await reader.next('connected');
    const { body } = await account.as('GET', '/auth/api-keys');
    const newest = (body['items'] as { id: string }[]).slice(0, 2);
    for (const { id } of newest) await account.as('DELETE', `/auth/api-keys/${id}`);
    await reader.closed;
    await vi.waitFor(async () => expect((await open(unused.path)).status).toBe(401), within);
    expect((await open(used.path, { lastId: reader.lastId() })).status).toBe(401);
    expect((await open('/encounters/subscribe?ticket=tre_nonsense')).status).toBe(401);
  });

  const forbidden: [string, (made: { path: string; id: string; doomed: Pairing }) => Promise<unknown>][] = [
    ['its world is deleted', ({ doomed }) => account.as('DELETE', `/auth/known-clients/${doomed.clientId}`)],
    ['its key is bound to another world', ({ id }) => change(id, { clientIds: [world.clientId] })],
    ['its key lost the scope', ({ id }) => change(id, { scopes: ['clients:read'] })],
    ['its key is revoked', ({ id }) => account.as('DELETE', `/auth/api-keys/${id}`)],
  ];
  const change = (id: string, terms: object) => account.as('PATCH', `/auth/api-keys/${id}`, terms);

  it.each(
    forbidden.flatMap(([what, make]) => [true, false].map((isOnline) => [what, isOnline, make] as const)),
  )('opens nothing once %s, used or not; the world online: %s', async (_what, isOnline, make) => {
    const doomed = await account.pair();
    const connected = isOnline ? await connectModule(two.first.url, doomed) : undefined;
    const { body } = await account.as('POST', '/auth/api-keys', { name: 'stream', scopes });
    const paths: string[] = [];
    for (let count = 0; count < 2; count++) {
      const ticket = await call(two.first.url, 'POST', '/events/tickets', {
        body: { path: '/encounters/subscribe', query: { clientId: doomed.clientId } },
        headers: { 'x-api-key': String(body['apiKey']) },
      });
      paths.push(`/encounters/subscribe?ticket=${String(ticket.body['ticket'])}`);
    }
    const [used = '', unused = ''] = paths;
    const reader = await open(used);
    const lastId = (await reader.next('connected')).id;
    await make({ path: used, id: String(body['id']), doomed });
    // The instance that made the change has heard of it when it answers; the other one hears of it at once.
    for (const at of [two.first, two.second]) {
      const refused = await Promise.all([open(unused, {}, at), open(used, { lastId }, at)]);
      expect(refused.map(({ status, problem }) => [status, problem['code']])).toEqual([
        [401, 'key_invalid'],
        [401, 'key_invalid'],
      ]);
    }
    await reader.closed;
    await connected?.close();
  });

  it('opens nothing once the master key that made it is regenerated', async () => {
    const owner = await createAccount(two.first.url);
    const { clientId } = await owner.pair();
    const { body } = await call(two.first.url, 'POST', '/events/tickets', {
      body: { path: '/encounters/subscribe', query: { clientId } },
      headers: { 'x-api-key': owner.masterKey },
    });
    const { email, password } = owner;
    await call(two.first.url, 'POST', '/auth/regenerate-key', { body: { email, password } });
    const refused = await open(`/encounters/subscribe?ticket=${String(body['ticket'])}`, {}, two.first);
    expect(refused).toMatchObject({ status: 401, problem: { code: 'key_invalid' } });
  });

  it('is not made for what may not be followed', async () => {
    const make = async (key: string, body: object) =>
      (await call(two.first.url, 'POST', '/events/tickets', { body, headers: { 'x-api-key': key } })).status;
    const key = await account.createKey({ scopes });
    const { clientId } = world;
    expect(await make(key, { path: '/players', query: { clientId } })).toBe(400);
    expect(await make(key, { path: '/actor/subscribe', query: { clientId, actorUuid: '' } })).toBe(400);
    expect(await make(key, { path: '/hooks/subscribe', query: { clientId: 'nobody' } })).toBe(404);
    const reader = await account.createKey({ scopes: ['clients:read'] });
    expect(await make(reader, { path: '/hooks/subscribe', query: { clientId } })).toBe(403);
  });

  it('takes the place of its connection before, though all streams of its key are open', async () => {
    const { key, path } = await issue();
    const first = await open(path);
    await first.next('connected');
    const others = [await open(combat(), { key }), await open(combat(), { key }, two.first)];
    const second = await open(path, { lastId: first.lastId() }, two.first);
    expect((await second.next('connected')).data).toMatchObject({ recovered: true });
    await first.closed;
    // The end of the one before has freed nothing.
    expect((await open(combat(), { key })).status).toBe(429);
    others[0]?.close();
    const more = await vi.waitUntil(async () => {
      const one = await open(combat(), { key });
      return one.status === 200 && one;
    }, within);
    expect((await open(combat(), { key })).status).toBe(429);
    for (const reader of [second, more, ...others]) reader.close();
  });

  it('tells its EventSource to wait where others took all streams of its key', async () => {
    const { key, path } = await issue();
    const first = await open(path);
    await first.next('connected');
    const lastId = first.lastId();
    first.close();
    const others: Awaited<ReturnType<typeof open>>[] = [];
    await vi.waitFor(async () => {
      const one = await open(combat(), { key });
      if (one.status === 200) others.push(one);
      expect(others).toHaveLength(3);
    }, within);
    const { status, headers, closed, ...putOff } = await open(path, { lastId });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream',
      'access-control-allow-origin': '*',
    });
    await closed;
    expect(putOff.events).toEqual([]);
    expect(putOff.retryMs()).toBeGreaterThanOrEqual(5_000);
    others[0]?.close();
    const second = await vi.waitUntil(async () => {
      const one = await open(path, { lastId });
      await vi.waitUntil(() => one.isClosed() || one.events.length > 0, within);
      return one.events.length > 0 && one;
    }, within);
    expect((await second.next('connected')).data).toMatchObject({ recovered: true });
    for (const reader of [second, ...others]) reader.close();
  });
});
