// oxlint-disable max-lines -- It is one flow, from asking to the socket that knows of it.
import { call, connectModule, createAccount, eventsTold } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultLimits, startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let url: string;
let second: string;
let account: TestAccount;

beforeAll(async () => {
  const { limitPairRequestStatus = '' } = defaultLimits;
  const config = { limitPairRequestStatus, trustedProxies: ['127.0.0.1/32'] };
  cluster = await startInstances({ count: 2, config });
  url = cluster.instances[0].url;
  second = cluster.instances[1]?.url ?? '';
  account = await createAccount(url);
});
afterAll(() => cluster.stop());

const origin = 'https://table.example';
/** What today’s modules send, and fields that nobody knows. */
const world = {
  worldId: 'chapel',
  worldTitle: 'The Sunken Chapel',
  systemId: 'dnd5e',
  systemTitle: 'Fifth edition',
  systemVersion: '5.1.0',
  foundryVersion: '13.348',
};
const create = (body: object) => call(url, 'POST', '/auth/pair-request', { body, headers: { origin } });
const ask = async (more: object = { serverFingerprint: 'a1b2', moduleVersion: '3.4.1' }) =>
  String((await create({ ...world, ...more })).body['code']);
const poll = (code: string, at = url) => call(at, 'GET', `/auth/pair-request/${code}/status`);
const approve = (code: string, body: object = {}, as = account) =>
  as.as('POST', `/auth/pair-request/${code}/approve`, body);
const pair = (code: unknown, body: object = {}) =>
  call(url, 'POST', '/auth/pair', { body: { ...world, code, ...body }, headers: { origin } });
const upgradeOf = (clientId: string) => ask({ clientId, upgradeOnly: true });
const tokensOf = async (own: TestAccount) =>
  (await own.as('GET', '/auth/connection-tokens')).body['items'] as Record<string, unknown>[];

describe('a world that asks to be paired', () => {
  it('is shown to who is signed in, and gets one code that pairs it with what was granted', async () => {
    const other = await account.pair();
    const created = await create({ ...world, serverFingerprint: 'a1b2', moduleVersion: '3.4.1' });
    const code = String(created.body['code']);
    expect(created).toMatchObject({
      status: 200,
      body: { pairUrl: `${url}/pair/${code}`, expiresIn: 600, expiresAt: expect.any(String) as unknown },
    });
    expect(created.headers.get('access-control-allow-origin')).toBe('*');
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
    expect((await poll(code)).body).toEqual({ status: 'pending' });
    const { foundryVersion: tabletopVersion, ...shown } = world;
    expect((await account.as('GET', `/auth/pair-request/${code}`)).body).toMatchObject({
      ...shown,
      tabletopVersion,
      origin,
      clientId: null,
      requestedFrom: '127.0.0.1',
      status: 'pending',
    });
    const terms = {
      allowedTargetClients: [other.clientId],
      remoteScopes: ['roll:execute'],
      ipAllowlist: '127.0.0.1',
    };
    expect((await approve(code, terms)).body).toEqual({ status: 'approved' });
    const approved = await poll(code, second);
    expect(approved.body).toEqual({
      status: 'approved',
      pairingCode: expect.stringMatching(/^[A-HJ-NP-Z2-9]{6}$/) as unknown,
    });
    expect((await poll(code)).body).toEqual({ status: 'exchanged' });
    const paired = await pair(approved.body['pairingCode']);
    expect(paired.status).toBe(200);
    const [token] = await tokensOf(account);
    expect(token).toMatchObject({ ...terms, clientId: paired.body['clientId'], origin });
    expect(await eventsTold(cluster.db, account.accountId)).toContain('client.paired');
  });

  it('pairs as the world that the person was shown, and as no other', async () => {
    const code = await ask();
    await approve(code);
    const { pairingCode } = (await poll(code)).body;
    expect(await pair(pairingCode, { worldId: 'another' })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    });
    expect((await pair(pairingCode)).status).toBe(200);
  });

  it('gets a code that counts as made from the address that asked', async () => {
    const asked = await call(url, 'POST', '/auth/pair-request', {
      body: world,
      headers: { 'x-forwarded-for': '192.0.2.7' },
    });
    const code = String(asked.body['code']);
    await approve(code);
    expect((await poll(code)).body).toHaveProperty('pairingCode');
    const made = await cluster.db.selectFrom('pairingCodes').select('createdFrom').execute();
    expect(made).toContainEqual({ createdFrom: '192.0.2.7' });
  });

  it('gets one code of two racing polls', async () => {
    const rounds = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const code = await ask();
        await approve(code);
        const answers = await Promise.all([poll(code), poll(code, second)]);
        return answers.filter(({ body }) => body['pairingCode'] !== undefined).length;
      }),
    );
    expect(new Set(rounds)).toEqual(new Set([1]));
  });

  it('gets another code where the answer did not reach it', async () => {
    const code = await ask();
    await approve(code);
    const liveCodes = () =>
      cluster.db.selectFrom('pairingCodes').select('id').where('accountId', '=', account.accountId).execute();
    const before = new Set((await liveCodes()).map(({ id }) => id));
    // The row is held, so that the poll waits; its caller goes away meanwhile.
    await cluster.db.transaction().execute(async (trx) => {
      await trx.selectFrom('pairRequests').select('id').forUpdate().execute();
      const sent = request(`${url}/auth/pair-request/${code}/status`);
      sent.on('error', () => {});
      sent.end();
      await expect
        .poll(async () => {
          const sessions = cluster.db.selectFrom('pg_stat_activity' as never);
          const waiting = await sessions
            .select('pid' as never)
            .where('wait_event_type' as never, '=', 'Lock' as never)
            .execute();
          return waiting.length;
        })
        .toBeGreaterThan(0);
      sent.destroy();
    });
    await expect
      .poll(async () => (await poll(code)).body, { interval: 50 })
      .toMatchObject({ pairingCode: expect.any(String) as unknown });
    expect((await liveCodes()).filter(({ id }) => !before.has(id))).toHaveLength(1);
  });

  it('is told of a denial, and that it waited too long', async () => {
    const denied = await ask();
    expect((await account.as('POST', `/auth/pair-request/${denied}/deny`)).body).toEqual({
      status: 'denied',
    });
    expect((await poll(denied)).body).toEqual({ status: 'denied' });
    expect(await approve(denied)).toMatchObject({ status: 410, body: { code: 'code_used' } });
    const late = await ask();
    const approved = await ask();
    await approve(approved);
    await cluster.db
      .updateTable('pairRequests')
      .set({ expiresAt: new Date(Date.now() - 1) })
      .execute();
    expect((await poll(late)).body).toEqual({ status: 'expired' });
    expect((await poll(approved)).body).toEqual({ status: 'expired' });
    expect(await approve(late)).toMatchObject({ status: 410, body: { code: 'code_expired' } });
  });

  it('waits while the account is blocked, and is denied when its master key is rotated', async () => {
    const own = await createAccount(url);
    const code = await ask();
    await approve(code, {}, own);
    const block = (rotationRequired: boolean) =>
      cluster.db.updateTable('accounts').set({ rotationRequired }).where('id', '=', own.accountId).execute();
    await block(true);
    expect((await poll(code)).body).toEqual({ status: 'pending' });
    await block(false);
    const { email, password } = own;
    await call(url, 'POST', '/auth/regenerate-key', { body: { email, password } });
    expect((await poll(code)).body).toEqual({ status: 'denied' });
  });

  it('may poll twenty times a minute from two pages, and is never refused', async () => {
    const code = await ask();
    for (let turn = 0; turn < 40; turn++) expect((await poll(code)).status).toBe(200);
  });

  it('is refused in words without a worldId, and for a code that nobody has', async () => {
    expect(await create({ worldTitle: 'x' })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'worldId' }] },
    });
    expect((await poll('0'.repeat(26))).status).toBe(404);
  });

  it('finds room for so many open requests, and no more', async () => {
    const full = await startInstances({ config: { maxOpenPairRequests: 2 } });
    const at = full.instances[0].url;
    const asked = () => call(at, 'POST', '/auth/pair-request', { body: world });
    expect((await asked()).status).toBe(200);
    expect((await asked()).status).toBe(200);
    expect(await asked()).toMatchObject({ status: 503, body: { code: 'overloaded' } });
    await full.stop();
  });

  it('is limited like a key request when it asks', async () => {
    const { limitPairRequestCreate = '' } = defaultLimits;
    const limited = await startInstances({ config: { limitPairRequestCreate } });
    const statuses: number[] = [];
    for (let turn = 0; turn < 21; turn++) {
      statuses.push(
        (await call(limited.instances[0].url, 'POST', '/auth/pair-request', { body: world })).status,
      );
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
    await limited.stop();
  });
});

describe('a paired world that asks for more', () => {
  it('gets it in the one browser that the person names, at once, and in no other', async () => {
    const own = await createAccount(url);
    const target = await own.pair();
    const first = await own.pair({ worldId: world.worldId });
    const added = await own.as('POST', '/auth/pairing-codes', { clientId: first.clientId });
    await pair(added.body['code']);
    const module = await connectModule(url, first);
    const tokens = (await tokensOf(own)).filter(({ clientId }) => clientId === first.clientId);
    expect(tokens).toHaveLength(2);
    const [other, asking] = tokens;
    const code = await upgradeOf(first.clientId);
    expect((await own.as('GET', `/auth/pair-request/${code}`)).body).toMatchObject({
      clientId: first.clientId,
    });
    const terms = { allowedTargetClients: [target.clientId], remoteScopes: ['user:read'] };
    expect(await approve(code, terms, own)).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'tokenId' }] },
    });
    expect((await approve(code, { ...terms, tokenId: asking?.['id'] }, own)).status).toBe(200);
    for (let turn = 0; turn < 2; turn++) {
      expect((await poll(code)).body).toEqual({ status: 'approved', upgraded: true });
    }
    const after = await tokensOf(own);
    expect(after.find(({ id }) => id === asking?.['id'])).toMatchObject(terms);
    expect(after.find(({ id }) => id === other?.['id'])).toMatchObject({
      allowedTargetClients: [],
      remoteScopes: [],
    });
    // The socket that is open knows it, too: no one has to connect anew.
    await expect
      .poll(async () => {
        module.send({ type: 'get-known-clients', requestId: 'known' });
        return (await module.next('known-clients-result'))['tokenScopes'];
      })
      .toEqual(['user:read']);
    await module.close();
  });

  it('gets nothing in a browser of another world or of another account', async () => {
    const own = await createAccount(url);
    const asking = await own.pair();
    const another = await own.pair();
    const foreign = await account.pair();
    const code = await upgradeOf(asking.clientId);
    const tokenOf = async (owner: TestAccount, clientId: string) =>
      (await tokensOf(owner)).find((token) => token['clientId'] === clientId)?.['id'];
    for (const tokenId of [await tokenOf(own, another.clientId), await tokenOf(account, foreign.clientId)]) {
      expect(await approve(code, { tokenId, remoteScopes: ['user:read'] }, own)).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
    }
    const foreignTarget = { tokenId: await tokenOf(own, asking.clientId) };
    expect(
      await approve(code, { ...foreignTarget, allowedTargetClients: [foreign.clientId] }, own),
    ).toMatchObject({ status: 404, body: { code: 'client_not_found' } });
    expect((await poll(code)).body).toEqual({ status: 'pending' });
  });

  it('must say which world it is', async () => {
    for (const clientId of [undefined, '', 7, 'a b']) {
      expect(await create({ ...world, clientId, upgradeOnly: true })).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'clientId' }] },
      });
    }
  });
});
