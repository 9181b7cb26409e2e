import { operations, scopeNames, scopesBeyondUsers } from '@tabletop-relay/contract';
import type { Scope } from '@tabletop-relay/contract';
import { connectFakeModule, waitFor } from '@tabletop-relay/testing';
import type { FakeModule } from '@tabletop-relay/testing';
import { call, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTwo } from '../drivers.ts';
import type { TwoInstances } from '../drivers.ts';
import { connectAsking } from '../remote/asking-module.ts';
import { openSse } from '../streams/sse.ts';
import type { SseReader } from '../streams/sse.ts';

let two: TwoInstances;
let account: TestAccount;
/** One world of a module that declares nothing, and one whose module checks and filters. */
let plain: Pairing;
let careful: Pairing;
let modules: Record<'plain' | 'careful', FakeModule>;

/** Both hold their sockets at the first instance. */
async function connect({ clientId, token }: Pairing, declared: object): Promise<FakeModule> {
  const answer = () => ({ data: {}, users: [] });
  const module = await connectFakeModule({ url: two.first.url, clientId, answer });
  module.send({ type: 'auth', token, ...declared });
  await module.next('auth-success');
  return module;
}

const promises = { checksUser: true, filtersEvents: true };

beforeAll(async () => {
  two = await startTwo('redis');
  account = await createAccount(two.first.url);
  plain = await account.pair();
  careful = await account.pair();
  modules = { plain: await connect(plain, {}), careful: await connect(careful, promises) };
});
afterAll(() => two.stop());

const scopes = scopeNames.filter((scope) => !scopesBeyondUsers.includes(scope));
const make = (terms: object) => account.as('POST', '/auth/api-keys', { name: 'bound', scopes, ...terms });
const edit = (id: unknown, terms: object) => account.as('PATCH', `/auth/api-keys/${String(id)}`, terms);

interface Bound {
  id: string;
  key: string;
}

async function bindTo({ clientId }: Pairing, userId = 'cleo'): Promise<Bound> {
  const { body } = await make({ actingUserIds: { [clientId]: userId } });
  return { id: String(body['id']), key: String(body['apiKey']) };
}

const ask = (key: unknown, path: string, at = two.second.url, method = 'GET', body?: object) =>
  call(at, method, path, { headers: { 'x-api-key': String(key) }, body });

const lastFrame = (module: FakeModule) =>
  module.received.findLast(({ requestId }) => requestId !== undefined);

describe.each(['first', 'second'] as const)('calls at the %s instance', (at) => {
  const url = () => two[at].url;

  it('run as the user, whether they say so or not', async () => {
    const { key } = await bindTo(plain);
    for (const path of ['/players', '/players?userId=cleo', `/players?clientId=${plain.clientId}`]) {
      expect((await ask(key, path, url())).status).toBe(200);
      expect(lastFrame(modules.plain)).toMatchObject({ type: 'players', userId: 'cleo' });
    }
    const body = { actorUuid: 'Actor.a', skill: 'prc' };
    expect((await ask(key, '/sys5e/skill-check', url(), 'POST', body)).status).toBe(200);
    expect(lastFrame(modules.plain)).toMatchObject({ type: 'skill-check', userId: 'cleo' });
  });

  it('of the list of worlds tell nothing of the game master’s browser', async () => {
    const listed = async (key: unknown) => {
      const { body } = await ask(key, '/clients', url());
      return (body['clients'] as { clientId: string; ipAddress: string; tokenName: string }[]).find(
        ({ clientId }) => clientId === plain.clientId,
      );
    };
    const { key } = await bindTo(plain);
    expect(await listed(key)).toMatchObject({ ipAddress: '', tokenName: '' });
    const free = await account.createKey({ clientIds: [plain.clientId] });
    expect(await listed(free)).toMatchObject({ ipAddress: expect.stringMatching(/./) });
  });

  it('that name another user are refused, and reach nobody', async () => {
    const { key } = await bindTo(plain);
    const before = modules.plain.received.length;
    const refusal = {
      status: 403,
      body: { code: 'acting_user_fixed', outcome: 'not_sent', actingUserId: 'cleo' },
    };
    for (const userId of ['gm', 'Cleo', 'cleo%20'])
      expect(await ask(key, `/players?userId=${userId}`, url())).toMatchObject(refusal);
    const body = { actorUuid: 'Actor.a', skill: 'prc', userId: 'gm' };
    expect(await ask(key, '/sys5e/skill-check', url(), 'POST', body)).toMatchObject(refusal);
    for (const query of ['actingUserId=gm', 'scopedUserId=gm', 'user_id=gm'])
      expect((await ask(key, `/players?${query}`, url())).status).toBe(400);
    expect(modules.plain.received.length).toBe(before);
  });

  it('of what modules do not check need one that declares that it does', async () => {
    const unchecked = operations.filter(({ userUnchecked }) => userUnchecked);
    const [refused, served] = [await bindTo(plain), await bindTo(careful)];
    for (const { method, path, example } of unchecked) {
      const query =
        method === 'GET'
          ? `?${new URLSearchParams(example.parameters as Record<string, string>).toString()}`
          : '';
      const body = method === 'GET' ? undefined : example.parameters;
      const before = modules.plain.received.length;
      expect(await ask(refused.key, path + query, url(), method, body)).toMatchObject({
        status: 403,
        body: { code: 'acting_user_unchecked', outcome: 'not_sent' },
      });
      expect(modules.plain.received.length, path).toBe(before);
      expect((await ask(served.key, path + query, url(), method, body)).status, path).toBe(200);
      expect(lastFrame(modules.careful)).toMatchObject({ userId: 'cleo' });
      const free = await account.createKey({ clientIds: [plain.clientId] });
      expect((await ask(free, path + query, url(), method, body)).status, path).toBe(200);
    }
    const { body } = await account.as('GET', '/auth/api-keys?limit=50');
    const used = (body['items'] as { id: string; usedThisMonth: number }[]).find(
      ({ id }) => id === refused.id,
    );
    expect(used?.usedThisMonth).toBe(0);
  });

  it('run as another user as soon as the key is bound to one', async () => {
    const { id, key } = await bindTo(plain);
    await ask(key, '/players', url());
    await edit(id, { actingUserIds: { [plain.clientId]: 'ben' } });
    await vi.waitFor(async () => {
      await ask(key, '/players', url());
      expect(lastFrame(modules.plain)).toMatchObject({ userId: 'ben' });
    }, 5_000);
    expect((await ask(key, '/players?userId=cleo', url())).status).toBe(403);
  });
});

describe('the streams of a bound key', () => {
  const open: SseReader[] = [];
  afterEach(() => {
    for (const reader of open.splice(0)) reader.close();
  });
  async function follow(bound: Bound, path: string, more: { lastId?: string } = {}): Promise<SseReader> {
    const reader = await openSse(two.second.url + path, { key: bound.key, ...more });
    open.push(reader);
    if (reader.status === 200) await reader.next('connected');
    return reader;
  }
  const listened = (module: FakeModule, channel: string) =>
    waitFor(() =>
      module.received.some(
        (frame) =>
          frame.type === 'event-subscription-update' && frame['channel'] === channel && frame['count'],
      ),
    );
  const say = (module: FakeModule, id: string, message: object, more: object = {}) =>
    module.send({
      type: 'chat-event',
      data: { eventType: 'create', data: { id, author: { id: 'gm' }, whisper: [], ...message } },
      ...more,
    });
  const idsOf = (reader: SseReader) => reader.data().map(({ data }) => (data as { id: string }).id);

  it('tell of the chat what is public, theirs or whispered to them, live and from the history', async () => {
    const bound = await bindTo(plain);
    const module = modules.plain;
    const reader = await follow(bound, '/chat/subscribe');
    const all = await follow(
      { id: '', key: account.masterKey },
      `/chat/subscribe?clientId=${plain.clientId}`,
    );
    await listened(module, 'chat-events');
    const first = reader.lastId();
    say(module, 'public', {});
    say(module, 'whispered to others', { whisper: ['ben'] });
    say(module, 'whispered to them', { whisper: ['cleo', 'ben'] });
    say(module, 'their whisper', { whisper: ['gm'], author: { id: 'cleo' } });
    say(module, 'rolled blind by them', { whisper: ['gm'], author: { id: 'cleo' }, blind: true });
    say(module, 'to nobody knows whom', { whisper: undefined });
    say(module, 'to a text', { whisper: 'cleo' });
    say(module, 'named for others', {}, { visibleTo: ['ben'] });
    for (const visibleTo of ['cleo', null, [1], Array.from({ length: 501 }, () => 'cleo')])
      say(module, 'named for nobody who can be read', {}, { visibleTo });
    say(module, 'named for them', { whisper: ['ben'] }, { visibleTo: ['cleo'] });
    module.send({ type: 'chat-event', data: { eventType: 'update', data: { id: 'unknown' } } });
    module.send({ type: 'chat-event', data: { eventType: 'delete', data: { id: 'deleted' } } });
    module.send({
      type: 'chat-event',
      data: { eventType: 'delete', data: { id: 'deleted whole', content: 'x' } },
    });
    say(module, 'last', {});
    const theirs = ['public', 'whispered to them', 'their whisper', 'named for them', 'deleted', 'last'];
    await vi.waitFor(() => expect(idsOf(reader)).toEqual(theirs), 10_000);
    await vi.waitFor(() => expect(idsOf(all)).toHaveLength(17), 10_000);
    expect(JSON.stringify([...reader.events, ...all.events])).not.toContain('visibleTo');
    reader.close();
    const again = await follow(bound, '/chat/subscribe', { lastId: first });
    await vi.waitFor(() => expect(idsOf(again)).toEqual(theirs), 10_000);
    const { body } = await ask(bound.key, '/events/tickets', two.second.url, 'POST', {
      path: '/chat/subscribe',
    });
    const byTicket = await openSse(String(body['url']), { lastId: first });
    open.push(byTicket);
    await vi.waitFor(() => expect(idsOf(byTicket)).toEqual(theirs), 10_000);
  });

  const others = ['/hooks', '/actor', '/scene', '/encounters', '/rolls'].map((path) => `${path}/subscribe`);

  it.each(others)('tell nothing of %s without a module that says who may see it', async (path) => {
    const refusal = { status: 403, problem: { code: 'acting_user_unchecked' } };
    const bound = await bindTo(plain);
    expect(await follow(bound, path)).toMatchObject(refusal);
    const ticket = await ask(bound.key, '/events/tickets', two.second.url, 'POST', { path });
    expect(ticket).toMatchObject({ status: 403, body: { code: 'acting_user_unchecked' } });
    expect((await follow(await bindTo(careful), path)).status).toBe(200);
  });

  it('tell of other channels what is for their user, and end when another module comes', async () => {
    const world = await account.pair();
    const module = await connect(world, promises);
    const bound = await bindTo(world);
    const reader = await follow(bound, '/scene/subscribe');
    await listened(module, 'scene-events');
    const move = (x: number, more: object) =>
      module.send({ type: 'scene-event', data: { eventType: 'token-update', sceneId: 's', x }, ...more });
    move(1, {});
    move(2, { visibleTo: ['ben'] });
    move(3, { visibleTo: 'cleo' });
    move(4, { visibleTo: [] });
    move(5, { visibleTo: Array.from({ length: 501 }, () => 'cleo') });
    move(6, { visibleTo: ['ben', 'cleo'] });
    module.send({
      type: 'scene-event',
      data: { eventType: 'token-update', sceneId: 's', x: 7, visibleTo: ['cleo'] },
    });
    move(8, { visibleTo: ['cleo'] });
    await vi.waitFor(() => expect(reader.data().map(({ x }) => x)).toEqual([6, 8]), 10_000);
    await module.close();
    await connect(world, {});
    await reader.closed;
    expect(await follow(bound, '/scene/subscribe')).toMatchObject({ status: 403 });
  });

  it('end when the key is bound to another user, and come back as that one', async () => {
    const bound = await bindTo(plain);
    const reader = await follow(bound, '/chat/subscribe');
    await edit(bound.id, { actingUserIds: { [plain.clientId]: 'ben' } });
    await reader.closed;
    const again = await follow(bound, '/chat/subscribe');
    say(modules.plain, 'for ben', { whisper: ['ben'] });
    await vi.waitFor(() => expect(idsOf(again)).toEqual(['for ben']), 10_000);
  });
});

describe('a browser that is bound to users', () => {
  it('asks other worlds as those, and for nothing beyond', async () => {
    const asking = await connectAsking(account, two.second.url, { remoteScopes: [] });
    const actingUserIds = { [plain.clientId]: 'cleo', [careful.clientId]: 'ben' };
    const remoteScopes: Scope[] = ['user:read', 'roll:read'];
    const bind = (terms: object) => account.as('PATCH', `/auth/connection-tokens/${asking.tokenId}`, terms);
    expect((await bind({ actingUserIds, remoteScopes: ['macro:write'] })).status).toBe(400);
    expect((await bind({ actingUserIds, remoteScopes })).body).toMatchObject({
      allowedTargetClients: Object.keys(actingUserIds).toSorted(),
      actingUserIds,
    });
    expect((await bind({ remoteScopes: ['macro:write'] })).status).toBe(400);
    const targetClientId = plain.clientId;
    await vi.waitFor(async () => {
      expect(await asking.ask({ targetClientId })).toMatchObject({ success: true });
    }, 5_000);
    expect(lastFrame(modules.plain)).toMatchObject({ type: 'players', userId: 'cleo' });
    expect(await asking.ask({ targetClientId, payload: { userId: 'cleo' } })).toMatchObject({
      success: true,
    });
    expect(await asking.ask({ targetClientId, payload: { userId: 'gm' } })).toMatchObject({
      success: false,
      code: 'acting_user_fixed',
      outcome: 'not_sent',
    });
    expect(await asking.ask({ targetClientId, action: 'rolls' })).toMatchObject({
      success: false,
      code: 'acting_user_unchecked',
    });
    const elsewhere = { targetClientId: careful.clientId, action: 'rolls' };
    expect(await asking.ask(elsewhere)).toMatchObject({ success: true });
    expect(lastFrame(modules.careful)).toMatchObject({ userId: 'ben' });
    const row = await two.cluster.db
      .selectFrom('connectionTokens')
      .select(sql<string[]>`allowed_target_clients`.as('targets'))
      .where('id', '=', asking.tokenId)
      .executeTakeFirst();
    expect(row?.targets).toEqual([]);
    await asking.module.close();
  });
});
