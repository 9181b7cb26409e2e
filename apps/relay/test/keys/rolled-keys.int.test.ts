import type { ApiKey, CallRecord, KeyCaller, NewApiKey } from '@tabletop-relay/contract';
import { createSecret } from '../../src/credentials/secret.ts';
import { measureRunningTime } from '@tabletop-relay/testing';
import type { FakeModule } from '@tabletop-relay/testing';
import { call, connectModule, createAccount, eventsTold } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { openSse } from '../streams/sse.ts';

let cluster: TestInstances;
let urls: string[];
let account: TestAccount;
let pairing: Pairing;
let module: FakeModule;

beforeAll(async () => {
  cluster = await startInstances({ count: 2 });
  urls = cluster.instances.map(({ url }) => url);
  account = await createAccount(cluster.instances[0].url);
  pairing = await account.pair();
  module = await connectModule(cluster.instances[0].url, pairing, ({ type, requestId }) => ({
    type: `${type}-result`,
    requestId,
    data: { total: 17 },
  }));
});
afterAll(async () => {
  await module.close();
  await cluster.stop();
});

async function makeKey(more: object = {}, owner = account): Promise<NewApiKey> {
  const made = await owner.as('POST', '/auth/api-keys', {
    name: 'Dice bot',
    scopes: ['roll:execute', 'events:subscribe', 'clients:read'],
    ...more,
  });
  return made.body as unknown as NewApiKey;
}

async function roll(id: string, body: object = {}, owner = account): Promise<NewApiKey> {
  const rolled = await owner.as('POST', `/auth/api-keys/${id}/roll`, body);
  expect(rolled.status).toBe(200);
  return rolled.body as unknown as NewApiKey;
}

async function readKey(id: string): Promise<ApiKey | undefined> {
  const { body } = await account.as('GET', '/auth/api-keys?limit=200');
  return (body['items'] as ApiKey[]).find((key) => key.id === id);
}

const rollDice = (apiKey: string, at = urls[0], headers: Record<string, string> = {}) =>
  call(String(at), 'POST', `/roll?clientId=${pairing.clientId}`, {
    body: { formula: '1d20' },
    headers: { 'x-api-key': apiKey, ...headers },
  });

/** What each instance answers to a key, in the order of the instances. */
const statuses = (apiKey: string) => Promise.all(urls.map(async (at) => (await rollDice(apiKey, at)).status));

async function expectRefusedSoon(apiKey: string): Promise<void> {
  const ranMs = measureRunningTime();
  await expect.poll(() => statuses(apiKey), { interval: 20 }).toEqual([401, 401]);
  expect(ranMs()).toBeLessThan(1_000);
}

describe('a key that is rolled', () => {
  it('has a new value, and the old one ends on every instance within a second', async () => {
    const { id, apiKey: old } = await makeKey();
    expect(await statuses(old)).toEqual([200, 200]);
    const { apiKey, ...shown } = await roll(id);
    await expectRefusedSoon(old);
    expect(await statuses(apiKey)).toEqual([200, 200]);
    expect(shown).toMatchObject({ id, name: 'Dice bot', oldValue: null });
    expect(shown.hint.slice(-4)).toBe(apiKey.slice(-4));
  });

  it('may go on with its old value for a while, which is then told of in its calls', async () => {
    const { id, hint, apiKey: old } = await makeKey();
    expect(await statuses(old)).toEqual([200, 200]);
    const { apiKey, oldValue } = await roll(id, { keepOldSeconds: 3_600 });
    expect(oldValue).toMatchObject({ hint, lastUsedAt: null });
    expect(Date.parse(oldValue?.endsAt ?? '') - Date.now()).toBeLessThanOrEqual(3_600_000);
    const programs = { 'user-agent': 'dice-bot/2.1' };
    await expect.poll(async () => (await rollDice(apiKey, urls[1], programs)).status).toBe(200);
    expect((await rollDice(old, urls[1], { 'user-agent': 'dice-bot/1.0' })).status).toBe(200);
    await vi.waitFor(async () => {
      const { body } = await account.as('GET', `/auth/calls?key=${id}`);
      const logged = (body['items'] as CallRecord[]).map(({ oldValue: isOld, userAgent }) => [
        userAgent,
        isOld,
      ]);
      expect(logged).toEqual(
        expect.arrayContaining([
          ['dice-bot/2.1', false],
          ['dice-bot/1.0', true],
        ]),
      );
    }, 10_000);
    const overview = await account.as('GET', `/auth/overview?key=${id}`);
    expect(overview.body['keys']).toMatchObject([{ keyId: id }]);
    const { body } = await account.as('GET', `/auth/callers?key=${id}`);
    const [latest] = body['items'] as KeyCaller[];
    expect(latest).toMatchObject({ userAgent: 'dice-bot/1.0', oldValue: true, calls: 1 });
    expect(latest?.ipAddress).toMatch(/127\.0\.0\.1|::1/);
    await expect.poll(async () => (await readKey(id))?.oldValue?.lastUsedAt).toEqual(expect.any(String));
  });

  it('refuses the old value once its time is over, as what was never a key, and ends its streams', async () => {
    const { id, apiKey: old } = await makeKey();
    const { apiKey } = await roll(id, { keepOldSeconds: 3 });
    const streams = await Promise.all(
      [old, apiKey].map((key) => openSse(`${urls[1]}/rolls/subscribe?clientId=${pairing.clientId}`, { key })),
    );
    expect(await statuses(old)).toEqual([200, 200]);
    expect(streams.map(({ status, problem }) => [status, problem])).toEqual([
      [200, {}],
      [200, {}],
    ]);
    await expect.poll(() => statuses(old), { timeout: 10_000, interval: 50 }).toEqual([401, 401]);
    await streams[0]?.closed;
    expect(streams[1]?.isClosed()).toBe(false);
    streams[1]?.close();
    expect(await readKey(id)).toMatchObject({ oldValue: null });
    const never = createSecret('scopedKey').value;
    const [ended, unknown] = await Promise.all([old, never].map((key) => rollDice(key)));
    const { traceId: _one, ...ofEnded } = ended?.body ?? {};
    const { traceId: _other, ...ofUnknown } = unknown?.body ?? {};
    expect([ended?.status, ofEnded]).toEqual([unknown?.status, ofUnknown]);
    expect([...(ended?.headers.keys() ?? [])]).toEqual([...(unknown?.headers.keys() ?? [])]);
    expect(await statuses(apiKey)).toEqual([200, 200]);
  });

  it('has one old value at a time', async () => {
    const { id, apiKey: first } = await makeKey();
    const { apiKey: second } = await roll(id, { keepOldSeconds: 3_600 });
    const { apiKey: third } = await roll(id, { keepOldSeconds: 3_600 });
    await expectRefusedSoon(first);
    expect(await statuses(second)).toEqual([200, 200]);
    const { apiKey: fourth } = await roll(id);
    await expectRefusedSoon(second);
    await expectRefusedSoon(third);
    expect(await statuses(fourth)).toEqual([200, 200]);
    await roll(id, { keepOldSeconds: 3_600 });
    expect((await account.as('DELETE', `/auth/api-keys/${id}/old-value`)).status).toBe(200);
    await expectRefusedSoon(fourth);
  });

  it('loses its old value with a pause, and keeps none while it is paused', async () => {
    const { id, apiKey: old } = await makeKey();
    const { apiKey } = await roll(id, { keepOldSeconds: 3_600 });
    expect((await account.as('POST', `/auth/api-keys/${id}/pause`)).status).toBe(200);
    const { apiKey: next, oldValue } = await roll(id, { keepOldSeconds: 3_600 });
    expect(oldValue).toBeNull();
    expect((await account.as('POST', `/auth/api-keys/${id}/resume`)).status).toBe(200);
    await expect.poll(() => statuses(next), { interval: 20 }).toEqual([200, 200]);
    for (const ended of [old, apiKey]) await expectRefusedSoon(ended);
  });

  it.each([
    ['a revocation', (owner: TestAccount, id: string) => owner.as('DELETE', `/auth/api-keys/${id}`)],
    [
      'a new master key',
      (owner: TestAccount) =>
        call(String(urls[0]), 'POST', '/auth/regenerate-key', {
          body: { email: owner.email, password: owner.password },
        }),
    ],
  ])('loses its old value with %s', async (_, end) => {
    const owner = await createAccount(String(urls[0]));
    const { id, apiKey: old } = await makeKey({}, owner);
    const clients = (key: string) =>
      Promise.all(
        urls.map(async (at) => (await call(at, 'GET', '/clients', { headers: { 'x-api-key': key } })).status),
      );
    const { apiKey } = await roll(id, { keepOldSeconds: 86_400 }, owner);
    expect([await clients(old), await clients(apiKey)]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    expect((await end(owner, id)).status).toBe(200);
    const ranMs = measureRunningTime();
    for (const value of [old, apiKey])
      await expect.poll(() => clients(value), { interval: 20 }).toEqual([401, 401]);
    expect(ranMs()).toBeLessThan(1_000);
  });

  it('is written down in hashes, told of and audited', async () => {
    const owner = await createAccount(String(urls[0]));
    const { id, apiKey: old } = await makeKey({}, owner);
    const { apiKey, oldValue } = await roll(id, { keepOldSeconds: 60 }, owner);
    const rows = await sql<{ row: object }>`
      select to_jsonb(k) as row from api_keys k where id = ${id}
      union all select to_jsonb(o) from old_key_values o where key_id = ${id}`.execute(cluster.db);
    expect(rows.rows).toHaveLength(2);
    const everywhere = JSON.stringify([rows, await owner.as('GET', '/auth/export'), cluster.logs]);
    for (const value of [old, apiKey]) expect(everywhere).not.toContain(value.slice(8, 30));
    const { body } = await owner.as('GET', '/auth/audit-log');
    expect(body['items']).toContainEqual(
      expect.objectContaining({
        event: 'api_key.rolled',
        subjectId: id,
        detail: { name: 'Dice bot', oldValueEndsAt: oldValue?.endsAt },
      }),
    );
    expect(await eventsTold(cluster.db, owner.accountId)).toContain('api_key.rolled');
  });

  it.each([86_401, -1, 1.5])('keeps no old value for %s seconds', async (keepOldSeconds) => {
    const { id } = await makeKey();
    const refused = await account.as('POST', `/auth/api-keys/${id}/roll`, { keepOldSeconds });
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  it('is refused while a headless session of the key runs', async () => {
    const { id, apiKey } = await makeKey();
    await sql`insert into headless_sessions (id, account_id, key_id, tabletop_url, username, world_name, state)
      values ('of-a-key', ${account.accountId}, ${id}, 'https://tabletop.example', 'GM', '', 'active')`.execute(
      cluster.db,
    );
    const refused = await account.as('POST', `/auth/api-keys/${id}/roll`, {});
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(refused.body['detail']).toMatch(/headless session/);
    expect(await statuses(apiKey)).toEqual([200, 200]);
    await sql`update headless_sessions set state = 'ended' where id = 'of-a-key'`.execute(cluster.db);
    await roll(id);
  });
});

it('a key’s month has what counted and what was refused, on all instances, within a second', async () => {
  const { id, apiKey } = await makeKey({ monthlyLimit: 6 });
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, index) => rollDice(apiKey, urls[index % 2])),
  );
  const done = answers.filter(({ status }) => status === 200).length;
  expect(done).toBe(6);
  await call(String(urls[1]), 'POST', `/roll?clientId=${pairing.clientId}`, {
    body: { formula: 7 },
    headers: { 'x-api-key': apiKey },
  });
  const ranMs = measureRunningTime();
  await expect
    .poll(() => readKey(id), { interval: 20, timeout: 2_000 })
    .toMatchObject({ usedThisMonth: 6, refusedThisMonth: 11 });
  expect(ranMs()).toBeLessThan(1_000);
});
