// oxlint-disable max-lines -- Every bound is raced over the same two instances.
import { call, createAccount } from '@tabletop-relay/testing/scenes';
import type { Answer, TestAccount } from '@tabletop-relay/testing/scenes';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

const maxKeys = 10;
const maxWorlds = 3;
const maxBrowsers = 4;
const maxOpen = 20;

let cluster: TestInstances;
let urls: string[];

beforeAll(async () => {
  cluster = await startInstances({
    count: 2,
    config: {
      maxKeysPerAccount: maxKeys,
      maxWorldsPerAccount: maxWorlds,
      maxBrowsersPerWorld: maxBrowsers,
      maxOpenKeyRequests: maxOpen,
    },
  });
  urls = cluster.instances.map(({ url }) => url);
});
afterAll(() => cluster.stop());

/** Fifty at once, at both instances in turn. */
const race = (send: (url: string, index: number) => Promise<Answer>, times = 50) =>
  Promise.all(Array.from({ length: times }, (_, index) => send(urls[index % 2] ?? '', index)));

const at = (url: string, { sessionToken }: TestAccount, method: string, path: string, body?: unknown) =>
  call(url, method, path, { body, headers: { authorization: `Bearer ${sessionToken}` } });

const statusesOf = (answers: readonly Answer[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, of]) => [status, of.length]),
  );

const countOf = async (
  table: 'apiKeys' | 'knownClients' | 'connectionTokens' | 'pairingCodes',
  { accountId }: TestAccount,
) => {
  const rows = await cluster.db
    .selectFrom(table)
    .select('accountId')
    .where('accountId', '=', accountId)
    .execute();
  return rows.length;
};

const conflict = (bound: number, what: RegExp) => ({
  status: 409,
  body: {
    code: 'conflict',
    detail: expect.stringMatching(new RegExp(`${bound} .*${what.source}`)) as unknown,
  },
});

const newKey = { name: 'k', scopes: ['clients:read'] };
const ask = async (more: object = {}) => {
  const body = { appName: 'Bot', scopes: ['clients:read'], ...more };
  return await call(urls[0] ?? '', 'POST', '/auth/key-request', { body });
};
const decide = (own: TestAccount, code: unknown, verb = 'approve') =>
  own.as('POST', `/auth/key-request/${String(code)}/${verb}`, {});
const poll = (code: unknown, url = urls[0] ?? '') =>
  call(url, 'GET', `/auth/key-request/${String(code)}/status`);

describe('keys of an account', () => {
  it('are made up to the bound by fifty who ask at once, and the others are told it', async () => {
    const own = await createAccount(urls[0] ?? '');
    const answers = await race((url) => at(url, own, 'POST', '/auth/api-keys', newKey));
    expect(statusesOf(answers)).toEqual({ 200: maxKeys, 409: 50 - maxKeys });
    expect(answers.find(({ status }) => status === 409)).toMatchObject(conflict(maxKeys, /keys.*Revoke/));
    expect(await countOf('apiKeys', own)).toBe(maxKeys);
    const { body } = await own.as('GET', '/auth/api-keys?limit=1');
    await own.as('DELETE', `/auth/api-keys/${(body['items'] as { id: string }[])[0]?.id}`);
    expect((await own.as('POST', '/auth/api-keys', newKey)).status).toBe(200);
    expect(await own.as('POST', '/auth/api-keys', newKey)).toMatchObject(conflict(maxKeys, /keys/));
  });

  it('include the approved requests: approving is refused, nothing is used up, and what is approved is collected', async () => {
    const own = await createAccount(urls[0] ?? '');
    for (let i = 0; i < maxKeys - 1; i++) await own.createKey();
    const [first, second] = [(await ask()).body['code'], (await ask()).body['code']];
    expect((await decide(own, first)).status).toBe(200);
    expect(await decide(own, second)).toMatchObject(conflict(maxKeys, /keys/));
    expect(await own.as('POST', '/auth/api-keys', newKey)).toMatchObject(conflict(maxKeys, /approved/));
    expect((await poll(second)).body).toEqual({ status: 'pending' });
    const collected = await poll(first);
    expect(collected.body['apiKey']).toMatch(/^trk_/);
    const { body } = await own.as('GET', '/auth/api-keys?limit=1');
    await own.as('DELETE', `/auth/api-keys/${(body['items'] as { id: string }[])[0]?.id}`);
    expect((await decide(own, second)).status).toBe(200);
    expect((await poll(second)).body['apiKey']).toMatch(/^trk_/);
    expect(await countOf('apiKeys', own)).toBe(maxKeys);
  });

  it.each([
    ['a poll', undefined],
    ['an exchange', 'https://bot.example/done'],
  ])(
    'that are collected by %s where there is no room any more are refused, with nothing used up',
    async (_how, callbackUrl) => {
      const own = await createAccount(urls[0] ?? '');
      const { code } = (await ask({ ...(callbackUrl && { callbackUrl }) })).body;
      const approved = await decide(own, code);
      // What an operator that lowers the bound leaves behind.
      const ids = Array.from({ length: maxKeys }, (_, index) => `${own.accountId}-${index}`);
      await cluster.db
        .insertInto('apiKeys')
        .values(
          ids.map((id) => ({
            id,
            accountId: own.accountId,
            hash: Buffer.from(id),
            hint: '',
            name: 'k',
            scopes: ['clients:read'],
          })),
        )
        .execute();
      const collect = async () => {
        if (!callbackUrl) return await poll(code);
        const exchangeCode = new URL(String(approved.body['redirectUrl'])).searchParams.get('code');
        return await call(urls[1] ?? '', 'POST', '/auth/key-request/exchange', {
          body: { code: exchangeCode },
        });
      };
      expect(await collect()).toMatchObject(conflict(maxKeys, /keys/));
      await own.as('DELETE', `/auth/api-keys/${ids[0]}`);
      expect((await collect()).body['apiKey']).toMatch(/^trk_/);
    },
  );
});

describe('worlds and browsers', () => {
  const newCode = async (own: TestAccount, body: object = {}) =>
    (await own.as('POST', '/auth/pairing-codes', body)).body['code'];
  const pair = (url: string, code: unknown, more: object) =>
    call(url, 'POST', '/auth/pair', { body: { code, worldTitle: '', ...more } });

  it('worlds of an account are paired up to the bound; a code that found no room still works', async () => {
    const own = await createAccount(urls[0] ?? '');
    const codes: unknown[] = [];
    for (let i = 0; i < 5; i++) codes.push(await newCode(own));
    const answers = await race((url, index) => pair(url, codes[index], { worldId: `w${index}` }), 5);
    expect(statusesOf(answers)).toEqual({ 200: maxWorlds, 409: 5 - maxWorlds });
    const refused = answers.findIndex(({ status }) => status === 409);
    expect(answers[refused]).toMatchObject(conflict(maxWorlds, /worlds.*Delete/));
    const { clientId } = answers.find(({ status }) => status === 200)?.body ?? {};
    await own.as('DELETE', `/auth/known-clients/${String(clientId)}`);
    expect((await pair(urls[0] ?? '', codes[refused], { worldId: 'another' })).status).toBe(200);
    expect(await countOf('knownClients', own)).toBe(maxWorlds);
  });

  it('browsers of a world are paired up to the bound, and a code for one more is refused', async () => {
    const own = await createAccount(urls[0] ?? '');
    const { clientId } = await own.pair({ worldId: 'mine' });
    const codes: unknown[] = [];
    for (let i = 0; i < 5; i++) codes.push(await newCode(own));
    const again = { worldId: 'mine', existingClientId: clientId };
    const answers = await race((url, index) => pair(url, codes[index], again), 5);
    expect(statusesOf(answers)).toEqual({ 200: maxBrowsers - 1, 409: 5 - maxBrowsers + 1 });
    expect(answers.find(({ status }) => status === 409)).toMatchObject(
      conflict(maxBrowsers, /browsers.*Unpair/),
    );
    expect(await countOf('connectionTokens', own)).toBe(maxBrowsers);
    expect(await own.as('POST', '/auth/pairing-codes', { clientId })).toMatchObject(
      conflict(maxBrowsers, /browsers/),
    );
  });

  it('of fifty codes made at once five live, and one of those that add a browser', async () => {
    const own = await createAccount(urls[0] ?? '');
    const plain = await race((url) => at(url, own, 'POST', '/auth/pairing-codes', {}));
    expect(statusesOf(plain)).toEqual({ 200: 50 });
    expect(await countOf('pairingCodes', own)).toBe(5);
    const other = await createAccount(urls[0] ?? '');
    const { clientId } = await other.pair();
    const before = await countOf('pairingCodes', other);
    await race((url) => at(url, other, 'POST', '/auth/pairing-codes', { clientId }));
    expect((await countOf('pairingCodes', other)) - before).toBe(1);
  });

  it('of fifty who pair with one code at once one gets a token', async () => {
    const own = await createAccount(urls[0] ?? '');
    const code = await newCode(own);
    const answers = await race((url) => pair(url, code, { worldId: 'w' }));
    expect(statusesOf(answers)).toEqual({ 200: 1, 410: 49 });
    expect(await countOf('connectionTokens', own)).toBe(1);
  });
});

describe('a key request', () => {
  it('is decided by one of fifty, of two accounts', async () => {
    const own = await createAccount(urls[0] ?? '');
    const other = await createAccount(urls[0] ?? '');
    const { code } = (await ask()).body;
    const answers = await race((url, index) => {
      const verb = index % 3 === 0 ? 'deny' : 'approve';
      return at(url, index % 4 < 2 ? own : other, 'POST', `/auth/key-request/${String(code)}/${verb}`, {});
    });
    expect(statusesOf(answers)).toEqual({ 200: 1, 410: 49 });
  });

  it('gives its key to one of fifty polls', async () => {
    const own = await createAccount(urls[0] ?? '');
    const { code } = (await ask()).body;
    await decide(own, code);
    const answers = await race((url) => poll(code, url));
    expect(answers.filter(({ body }) => body['apiKey'] !== undefined)).toHaveLength(1);
    expect(await countOf('apiKeys', own)).toBe(1);
  });

  it('gives its key to one of fifty exchanges', async () => {
    const own = await createAccount(urls[0] ?? '');
    const { code } = (await ask({ callbackUrl: 'https://bot.example/' })).body;
    const approved = await decide(own, code);
    const exchangeCode = new URL(String(approved.body['redirectUrl'])).searchParams.get('code');
    const answers = await race((url) =>
      call(url, 'POST', '/auth/key-request/exchange', { body: { code: exchangeCode } }),
    );
    expect(statusesOf(answers)).toEqual({ 200: 1, 410: 49 });
  });

  it('is taken while there is room for it among all that wait, also by fifty who ask at once', async () => {
    await cluster.db.deleteFrom('keyRequests').execute();
    const body = { appName: 'Bot', scopes: ['clients:read'] };
    const answers = await race((url) => call(url, 'POST', '/auth/key-request', { body }));
    expect(statusesOf(answers)).toEqual({ 200: maxOpen, 503: 50 - maxOpen });
    const refused = answers.find(({ status }) => status === 503);
    expect(refused).toMatchObject({ body: { code: 'overloaded', retryable: true } });
    expect(refused?.headers.get('retry-after')).toBe('60');
    // What came together was stored together: a transaction each would make Postgres count all for each.
    const { rows } = await sql<{ transactions: number }>`
      select count(distinct xmin::text)::int as transactions from key_requests`.execute(cluster.db);
    expect(rows[0]?.transactions).toBeLessThan(maxOpen);
    // One that is decided makes room, and so does one whose time is over.
    const own = await createAccount(urls[0] ?? '');
    const codes = answers.filter(({ status }) => status === 200).map((answer) => answer.body['code']);
    await decide(own, codes[0], 'deny');
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(503);
    await cluster.db
      .updateTable('keyRequests')
      .set({ expiresAt: new Date(Date.now() - 1) })
      .execute();
    expect((await ask()).status).toBe(200);
  });
});

it('an account whose fifty changes wait for its lock keeps no other account waiting', async () => {
  const own = await createAccount(urls[0] ?? '');
  const neighbour = await createAccount(urls[0] ?? '');
  const { waiting } = await cluster.db.transaction().execute(async (trx) => {
    await trx
      .selectFrom('accounts')
      .select('id')
      .where('id', '=', own.accountId)
      .forUpdate()
      .executeTakeFirst();
    const held = Array.from({ length: 50 }, () => own.as('POST', '/auth/pairing-codes', {}));
    // Each of them has shown its session by then, and waits.
    await expect
      .poll(async () => {
        const { rows } = await sql<{ count: number }>`
          select count(*)::int as count from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database()`.execute(cluster.db);
        return rows[0]?.count;
      })
      .toBeGreaterThan(0);
    expect((await neighbour.as('POST', '/auth/api-keys', newKey)).status).toBe(200);
    return { waiting: held };
  });
  expect(statusesOf(await Promise.all(waiting))).toEqual({ 200: 50 });
});
