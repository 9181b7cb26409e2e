import { call, createAccount, eventsTold } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let url: string;
let account: TestAccount;

beforeAll(async () => {
  cluster = await startInstances();
  [{ url }] = cluster.instances;
});
afterAll(() => cluster.stop());
beforeEach(async () => {
  account = await createAccount(url);
});

const home = 'https://table.example';
const elsewhere = 'https://other.example';
const world = { worldId: 'chapel', worldTitle: 'The Sunken Chapel' };

const ask = async (more: object = {}, origin = home) => {
  const body = { ...world, ...more };
  const asked = await call(url, 'POST', '/auth/pair-request', { body, headers: { origin } });
  return String(asked.body['code']);
};
const show = async (code: string) => (await account.as('GET', `/auth/pair-request/${code}`)).body;
const approve = (code: string, body: object = {}) =>
  account.as('POST', `/auth/pair-request/${code}/approve`, body);
const poll = async (code: string) => (await call(url, 'GET', `/auth/pair-request/${code}/status`)).body;
const pair = (code: unknown, more: object = {}, origin = home) =>
  call(url, 'POST', '/auth/pair', { body: { ...world, code, ...more }, headers: { origin } });

/** Pairs the world in a page of its home, by a code that is typed in. */
async function pairAtHome(more: object = { serverFingerprint: 'a1b2' }): Promise<string> {
  const { body } = await account.as('POST', '/auth/pairing-codes', {});
  return String((await pair(body['code'], more)).body['clientId']);
}

async function worldsOf(): Promise<unknown[]> {
  const rows = (await account.as('GET', '/auth/known-clients')).body['items'] as Record<string, unknown>[];
  return rows.map(({ clientId, tokens }) => [clientId, tokens]);
}

describe('a request of a world that is paired already', () => {
  it.each<[string, (clientId: string) => object]>([
    ['its fingerprint', () => ({ serverFingerprint: 'a1b2' })],
    ['existingClientId', (existingClientId) => ({ existingClientId })],
    ['clientId', (clientId) => ({ clientId })],
  ])('by %s shows which it joins, and joins it only where that was seen', async (_by, named) => {
    const clientId = await pairAtHome();
    const code = await ask(named(clientId));
    expect(await show(code)).toMatchObject({
      clientId: null,
      joins: {
        clientId, worldTitle: 'The Sunken Chapel', customName: '', pairedOrigin: home, isAtAddress: true,
      },
    }); // prettier-ignore
    expect(await approve(code)).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: expect.stringMatching(/joins your world “The Sunken Chapel”/) },
    });
    expect(await poll(code)).toEqual({ status: 'pending' });
    expect((await approve(code, { joinsClientId: clientId })).status).toBe(200);
    const { pairingCode } = await poll(code);
    expect((await pair(pairingCode)).body['clientId']).toBe(clientId);
    expect(await worldsOf()).toEqual([[clientId, 2]]);
    expect(await eventsTold(cluster.db, account.accountId)).toContain('client.paired_again');
  });

  it('from another address says so, and moves the world nowhere', async () => {
    const clientId = await pairAtHome();
    const code = await ask({ serverFingerprint: 'a1b2' }, elsewhere);
    expect(await show(code)).toMatchObject({
      origin: elsewhere,
      joins: { clientId, pairedOrigin: home, isAtAddress: false },
    });
    await approve(code, { joinsClientId: clientId });
    const { pairingCode } = await poll(code);
    expect((await pair(pairingCode, {}, elsewhere)).body['clientId']).toBe(clientId);
    expect((await show(await ask({ serverFingerprint: 'a1b2' }, elsewhere))).joins).toMatchObject({
      pairedOrigin: home,
      isAtAddress: true,
    });
  });

  it('gets a code for the page that was shown, and for no other', async () => {
    const clientId = await pairAtHome();
    const code = await ask({ serverFingerprint: 'a1b2' });
    await approve(code, { joinsClientId: clientId });
    const { pairingCode } = await poll(code);
    for (const [more, origin] of [
      [{}, elsewhere],
      [{ worldId: 'another' }, home],
    ] as const) {
      expect(await pair(pairingCode, more, origin)).toMatchObject({
        status: 409,
        body: { code: 'conflict' },
      });
    }
    expect((await pair(pairingCode)).status).toBe(200);
  });

  it('is looked up again when it is approved', async () => {
    const code = await ask({ serverFingerprint: 'a1b2' });
    expect((await show(code)).joins).toBeNull();
    const clientId = await pairAtHome();
    expect((await approve(code)).status).toBe(409);
    expect((await approve(code, { joinsClientId: 'another' })).status).toBe(409);
    expect((await approve(code, { joinsClientId: clientId })).status).toBe(200);
  });

  it('joins no world that it does not name, and none of another account', async () => {
    const own = await pairAtHome();
    const stranger = await createAccount(url);
    const { clientId: foreign } = await stranger.pair({ worldId: world.worldId });
    for (const [named, joinsClientId] of [
      [{}, own],
      [{ existingClientId: foreign }, foreign],
    ] as const) {
      const code = await ask(named);
      expect((await show(code)).joins).toBeNull();
      expect(await approve(code, { joinsClientId })).toMatchObject({
        status: 409,
        body: { detail: expect.stringMatching(/does not join/) },
      });
    }
  });

  it('is denied where the world is deleted before the code is handed out', async () => {
    const clientId = await pairAtHome();
    const code = await ask({ serverFingerprint: 'a1b2' });
    await approve(code, { joinsClientId: clientId });
    await account.as('DELETE', `/auth/known-clients/${clientId}`);
    for (let turn = 0; turn < 2; turn++) expect(await poll(code)).toEqual({ status: 'denied' });
  });

  it('leaves the Add Browser code of the world as it is', async () => {
    const clientId = await pairAtHome();
    const { body: typed } = await account.as('POST', '/auth/pairing-codes', { clientId });
    const code = await ask({ serverFingerprint: 'a1b2' });
    await approve(code, { joinsClientId: clientId });
    const { pairingCode } = await poll(code);
    expect((await pair(typed['code'])).body['clientId']).toBe(clientId);
    expect((await pair(pairingCode)).body['clientId']).toBe(clientId);
  });
});

describe('a request that was approved as a new world', () => {
  it('gives no world that the page names only when it pairs', async () => {
    const clientId = await pairAtHome();
    const code = await ask();
    expect((await show(code)).joins).toBeNull();
    await approve(code);
    const { pairingCode } = await poll(code);
    for (const named of [{ existingClientId: clientId }, { serverFingerprint: 'a1b2' }]) {
      expect(await pair(pairingCode, named)).toMatchObject({
        status: 409,
        body: { code: 'conflict', detail: expect.stringMatching(/approved is a new world.*Add browser/) },
      });
    }
    expect(await worldsOf()).toEqual([[clientId, 1]]);
    const made = await pair(pairingCode);
    expect(made.status).toBe(200);
    expect(made.body['clientId']).not.toBe(clientId);
  });
});
