import type { Call, CallRecord, Overview } from '@tabletop-relay/contract';
import type { FakeModule } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { firstCallIdAt } from '../../src/call-log/call-log.ts';
import { follow } from '../event-stream.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let owner: TestAccount;
let stranger: TestAccount;
let key: string;
let pairing: Pairing;
let module: FakeModule;
/** The world is connected to the first instance; the second asks it over the bus. */
let near: string;
let far: string;

const workMs = 30;

beforeAll(async () => {
  cluster = await startInstances({ count: 2 });
  [near, far] = cluster.instances.map(({ url }) => url) as [string, string];
  owner = await createAccount(near);
  stranger = await createAccount(near);
  key = await owner.createKey();
  pairing = await owner.pair();
  module = await connectModule(near, pairing, ({ type, requestId, skill }) => {
    const result = skill === 'ath' ? { error: 'Not today.', code: 'too_tired' } : { data: { total: 17 } };
    setTimeout(() => module.send({ type: `${type}-result`, requestId, ...result }), workMs);
    return undefined;
  });
});
afterAll(async () => {
  await module.close();
  await cluster.stop();
});

const skillCheck = (url: string, body: object = { actorUuid: 'Actor.a', skill: 'prc' }, apiKey = key) =>
  call(url, 'POST', `/sys5e/skill-check?clientId=${pairing.clientId}`, {
    body,
    headers: { 'x-api-key': apiKey },
  });

async function readCalls(account: TestAccount, query = ''): Promise<CallRecord[]> {
  return (await account.as('GET', `/auth/calls${query}`)).body['items'] as CallRecord[];
}

/** The call that an answer tells of, once it is written. */
async function callOf(answer: { headers: Headers }): Promise<CallRecord> {
  const requestId = answer.headers.get('x-request-id');
  return await vi.waitFor(async () => {
    const found = (await readCalls(owner)).find((one) => one.requestId === requestId);
    if (!found) throw new Error(`${requestId} is not in the log`);
    return found;
  }, 10_000);
}

async function keepBodies(keepsBodies: boolean): Promise<void> {
  const { status } = await owner.as('PUT', '/auth/call-log-settings', { keepsBodies });
  expect(status).toBe(200);
}

/** Calls until the instance knows that bodies are kept; resolves with the first call that has them. */
async function firstKeptCall(url: string, body?: object): Promise<Call> {
  return await vi.waitFor(async () => {
    const { id } = await callOf(await skillCheck(url, body));
    const found = (await owner.as('GET', `/auth/calls/${id}`)).body as unknown as Call;
    if (!found.request) throw new Error('no body was kept');
    return found;
  }, 15_000);
}

describe('the call log', () => {
  it.each([
    ['on the instance that holds the world', () => near],
    ['over the bus', () => far],
  ])('has a call that was answered %s, with the time of the world and of the relay apart', async (_, url) => {
    const answer = await skillCheck(url());
    const logged = await callOf(answer);
    expect(logged).toMatchObject({
      keyName: 'test',
      clientId: pairing.clientId,
      operation: 'skill-check',
      outcome: 'ok',
      status: 200,
      standsFor: 1,
    });
    expect(logged.worldMs).toBeGreaterThanOrEqual(workMs - 2);
    expect(logged.relayMs).toBeGreaterThan(0);
    expect(Math.abs(Date.parse(logged.at) - Date.now())).toBeLessThan(30_000);
  });

  it('has the time of a world that refused, also over the bus', async () => {
    const refused = await skillCheck(far, { actorUuid: 'Actor.a', skill: 'ath' });
    expect(refused.status).toBe(422);
    const logged = await callOf(refused);
    expect(logged).toMatchObject({ outcome: 'operation_failed', status: 422 });
    expect(logged.worldMs).toBeGreaterThanOrEqual(workMs - 2);
  });

  it.each<[string, string, () => ReturnType<typeof skillCheck>]>([
    ['whose parameters are wrong', 'invalid_request', () => skillCheck(near, { skill: 'prc' })],
    ['whose body is no JSON', 'invalid_request', () => sendText('{"skill"')],
    ['without the scope', 'scope_missing', async () => skillCheck(near, undefined, await narrowKey())],
  ])('has a call %s, and no time of a world', async (_, outcome, send) => {
    const logged = await callOf(await send());
    expect(logged).toMatchObject({ outcome, worldMs: null, operation: 'skill-check' });
  });

  it.each([
    ['a NUL', 'a\0b', 'ab'],
    ['half a character', 'a\ud800b', 'a\ufffdb'],
  ])('has a call whose world is named with %s, as Postgres takes it', async (_, clientId, kept) => {
    const body = { actorUuid: 'Actor.a', skill: 'prc', clientId };
    const answer = await call(near, 'POST', '/sys5e/skill-check', { body, headers: { 'x-api-key': key } });
    expect(await callOf(answer)).toMatchObject({ outcome: 'client_not_found', clientId: kept });
    // Each row apart is how the log gets past one that Postgres refuses.
    expect(cluster.logs.filter(({ msg }) => msg === 'a call was refused by its log')).toEqual([]);
  });

  it('finds calls by key, world, operation, outcome and time', async () => {
    const ok = await callOf(await skillCheck(near));
    const failed = await callOf(await skillCheck(near, { actorUuid: 'Actor.a', skill: 'ath' }));
    const both = [failed.id, ok.id];
    const found = async (query: string) =>
      (await readCalls(owner, query)).map(({ id }) => id).filter((id) => both.includes(id));
    expect(await found(`?key=${ok.keyId}&client=${pairing.clientId}`)).toEqual(both);
    expect(await found('?operation=skill-check')).toEqual(both);
    expect(await found('?operation=next-turn')).toEqual([]);
    expect(await found(`?requestId=${failed.requestId}`)).toEqual([failed.id]);
    expect(await found('?requestId=none')).toEqual([]);
    expect(await found('?outcome=ok')).toEqual([ok.id]);
    expect(await found('?outcome=failed')).toEqual([failed.id]);
    expect(await found('?outcome=operation_failed')).toEqual([failed.id]);
    expect(await found(`?since=${failed.at}`)).toEqual([failed.id]);
    expect(await found(`?until=${ok.at}`)).toEqual([]);
    const [first] = await readCalls(owner, '?limit=1');
    expect(await readCalls(owner, `?limit=1&cursor=${first?.id ?? ''}`)).toHaveLength(1);
  });

  it('shows nobody the calls of another account', async () => {
    const { id } = await callOf(await skillCheck(near));
    expect(await readCalls(stranger, `?client=${pairing.clientId}`)).toEqual([]);
    expect((await stranger.as('GET', `/auth/calls/${id}`)).status).toBe(404);
    const overview = (await stranger.as('GET', '/auth/overview')).body as unknown as Overview;
    expect([overview.worlds, overview.keys, overview.errors]).toEqual([[], [], []]);
  });

  it('tells the pages of the account, on every instance', async () => {
    const stream = await follow(far, owner.sessionToken);
    await skillCheck(near);
    await vi.waitFor(() => expect(stream.events).toContainEqual(['calls', {}]), 10_000);
    await stream.cancel();
  });

  it('counts calls, times and online time by the hour', async () => {
    const logged = await callOf(await skillCheck(near));
    const { body } = await owner.as('GET', '/auth/overview?days=2');
    const overview = body as unknown as Overview;
    expect(overview.hours).toHaveLength(48);
    const world = overview.worlds.find(({ clientId }) => clientId === pairing.clientId);
    expect(sumOf(world?.ok)).toBeGreaterThan(0);
    expect(sumOf(world?.refused)).toBeGreaterThan(0);
    expect(world?.worldP50.at(-1)).toBeGreaterThanOrEqual(15);
    expect(world?.online).toHaveLength(1);
    expect(overview.keys.find(({ keyId }) => keyId === logged.keyId)).toBeDefined();
    expect(overview.errors.map(({ code }) => code)).toContain('operation_failed');
    expect(overview.callers).toContainEqual({
      clientId: pairing.clientId,
      keyId: logged.keyId,
      calls: expect.any(Number) as number,
    });
  });

  it('counts them by the minute for the last hour', async () => {
    const own = await createAccount(near);
    const apiKey = await own.createKey({ scopes: ['clients:read'] });
    const refused = await skillCheck(near, undefined, apiKey);
    expect(refused.status).toBe(403);
    await vi.waitFor(async () => expect(await readCalls(own)).toHaveLength(1), 10_000);
    const overview = await minutesOf(own);
    expect(overview.hours).toHaveLength(60);
    expect(Date.parse(overview.hours[1] ?? '') - Date.parse(overview.hours[0] ?? '')).toBe(60_000);
    expect(overview.keys).toHaveLength(1);
    expect(sumOf(overview.keys[0]?.refused)).toBe(1);
    expect([overview.worlds, overview.callers]).toEqual([[], []]);
    expect(overview.errors).toEqual([{ code: 'scope_missing', calls: 1 }]);
    expect(overview.times.relay.typical).toBeGreaterThan(0);
    expect(overview.times.world).toEqual({ typical: null, slow: null });

    const logged = await callOf(await skillCheck(near));
    const { worlds, callers, times } = await minutesOf(owner);
    const world = worlds.find(({ clientId }) => clientId === pairing.clientId);
    const ofKey = callers.find(({ keyId }) => keyId === logged.keyId);
    expect(ofKey?.calls).toBeGreaterThan(0);
    expect(sumOf(world?.ok)).toBeGreaterThan(0);
    expect(times.world.typical).toBeGreaterThanOrEqual(15);
  });

  it('begins later where an hour has more entries than are counted', async () => {
    const busy = await createAccount(near);
    const now = Date.now();
    await sql`insert into call_log (id, at, account_id, key_id, key_name, client_id, operation, outcome, status, relay_ms,
        world_ms, request_id, stands_for, instance_id)
      select ${firstCallIdAt(now - 1_800_000)} || 'x' || lpad(n::text, 8, '0'), ${new Date(now - 1_800_000)}::timestamptz,
        ${busy.accountId}, 'k', 'k', 'w', 'roll', 'ok', 200, 1, 1, 'r', 1, 'i' from generate_series(1, 10000) n`.execute(
      cluster.db,
    );
    await sql`insert into call_log (id, at, account_id, key_id, key_name, client_id, operation, outcome, status, relay_ms,
        world_ms, request_id, stands_for, instance_id)
      values (${`${firstCallIdAt(now)}y`}, ${new Date(now)}, ${busy.accountId}, 'k', 'k', 'w', 'roll', 'ok', 200, 1, 1, 'r',
        7, 'i')`.execute(cluster.db);
    const overview = await minutesOf(busy);
    expect(overview.hours.length).toBeGreaterThanOrEqual(28);
    expect(overview.hours.length).toBeLessThanOrEqual(31);
    expect(overview.callers).toEqual([{ clientId: 'w', keyId: 'k', calls: 7 }]);
    expect(overview.worlds[0]?.ok).toHaveLength(overview.hours.length);
  });
});

const sumOf = (counts: number[] = []) => counts.reduce((sum, count) => sum + count, 0);

async function minutesOf(account: TestAccount): Promise<Overview> {
  return (await account.as('GET', '/auth/overview?by=minute')).body as unknown as Overview;
}

describe('requests and answers', () => {
  it('are not kept unless the account wants it', async () => {
    const { id } = await callOf(await skillCheck(near));
    expect((await owner.as('GET', `/auth/calls/${id}`)).body).toMatchObject({ request: null, answer: null });
  });

  it('are kept once it does, by the names that callers use, and are gone when it does not', async () => {
    await keepBodies(true);
    const kept = await firstKeptCall(far, { actorUuid: 'Actor.a', skill: 'prc' });
    expect(JSON.parse(kept.request?.text ?? '')).toMatchObject({ actorUuid: 'Actor.a', skill: 'prc' });
    expect(JSON.parse(kept.answer?.text ?? '')).toMatchObject({ data: { total: 17 } });
    expect([kept.request?.lacks, kept.answer?.lacks]).toEqual(['', '']);
    const failed = await firstKeptCall(near, { actorUuid: 'Actor.a', skill: 'ath' });
    expect(JSON.parse(failed.answer?.text ?? '')).toMatchObject({ code: 'operation_failed' });

    const exported = (await owner.as('GET', '/auth/export')).body as Record<string, unknown[]>;
    expect(exported['callLog']).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: kept.id, operation: 'skill-check' })]),
    );
    expect(exported['callBodies']).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: kept.id })]),
    );

    await keepBodies(false);
    expect((await owner.as('GET', `/auth/calls/${kept.id}`)).body).toMatchObject({ request: null });
    expect(await bodiesOf(owner)).toBe(0);
  });
});

it('an account that is deleted takes its calls along', async () => {
  const gone = await createAccount(near);
  const { clientId } = await gone.pair();
  const apiKey = await gone.createKey();
  await call(near, 'POST', `/sys5e/skill-check?clientId=${clientId}`, {
    body: { actorUuid: 'Actor.a', skill: 'prc' },
    headers: { 'x-api-key': apiKey },
  });
  await vi.waitFor(async () => expect(await readCalls(gone)).toHaveLength(1), 10_000);
  const { status } = await gone.as('DELETE', '/auth/account', { password: gone.password });
  expect(status).toBe(200);
  for (const table of ['callLog', 'callBodies', 'callHours', 'callLogSettings'] as const) {
    const rows = await cluster.db
      .selectFrom(table)
      .select('accountId')
      .where('accountId', '=', gone.accountId)
      .execute();
    expect(rows, table).toEqual([]);
  }
});

async function narrowKey(): Promise<string> {
  return await owner.createKey({ scopes: ['clients:read'] });
}

async function sendText(body: string) {
  const response = await fetch(`${near}/sys5e/skill-check?clientId=${pairing.clientId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body,
  });
  return { status: response.status, headers: response.headers, body: {} };
}

async function bodiesOf({ accountId }: TestAccount): Promise<number> {
  const rows = await cluster.db
    .selectFrom('callBodies')
    .select('id')
    .where('accountId', '=', accountId)
    .execute();
  return rows.length;
}
