import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
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
const elsewhere = 'https://stranger.example';
const world = { worldId: 'chapel', worldTitle: 'The Sunken Chapel', serverFingerprint: 'a1b2' };

const makeCode = async (body: object = {}) =>
  String((await account.as('POST', '/auth/pairing-codes', body)).body['code']);
const pair = (code: string, origin: string, more: object = {}) =>
  call(url, 'POST', '/auth/pair', { body: { ...world, code, ...more }, headers: { origin } });
const addressOf = (clientId: unknown) =>
  cluster.db
    .selectFrom('knownClients')
    .select('pairedOrigin')
    .where('clientId', '=', String(clientId))
    .executeTakeFirst();

describe('a module that asks which worlds there are', () => {
  it('is told of its own, and of those that its token may reach', async () => {
    const [own, other] = [await account.pair(), await account.pair()];
    await account.pair();
    const module = await connectModule(url, own);
    const told = async () => {
      module.send({ type: 'get-known-clients', requestId: 'known' });
      const { clients } = await module.next('known-clients-result');
      return new Set((clients as { clientId: string }[]).map(({ clientId }) => clientId));
    };
    expect(await told()).toEqual(new Set([own.clientId]));
    const { body } = await account.as('GET', '/auth/connection-tokens');
    const tokens = body['items'] as Record<string, unknown>[];
    const id = String(tokens.find(({ clientId }) => clientId === own.clientId)?.['id']);
    await account.as('PATCH', `/auth/connection-tokens/${id}`, { allowedTargetClients: [other.clientId] });
    await expect.poll(told).toEqual(new Set([own.clientId, other.clientId]));
    await module.close();
  });
});

describe('a page at another address than the world was paired at', () => {
  it.each<[string, (clientId: string) => object]>([
    ['its id', (existingClientId) => ({ existingClientId, serverFingerprint: '' })],
    ['its fingerprint', () => ({})],
  ])('that names the world by %s gets no token of it by a code for a new world', async (_by, named) => {
    const paired = await pair(await makeCode(), home);
    const clientId = String(paired.body['clientId']);
    const code = await makeCode();
    const refused = await pair(code, elsewhere, named(clientId));
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: expect.stringMatching(/paired at another address.*Add browser/) },
    });
    // Whoever asks learns neither the address nor the name that the account gave the world.
    expect(JSON.stringify(refused.body)).not.toContain(home);
    expect(await addressOf(clientId)).toEqual({ pairedOrigin: home });
    expect((await account.as('GET', '/auth/connection-tokens')).body['items']).toHaveLength(1);
    // Where the world was paired the same code works: it is not used up.
    expect((await pair(code, home, named(clientId))).body['clientId']).toBe(clientId);
  });

  it('joins the world where a person says so, is one of its addresses while it is paired, and moves nothing', async () => {
    const paired = await pair(await makeCode(), home);
    const clientId = String(paired.body['clientId']);
    const added = await pair(await makeCode({ clientId }), elsewhere);
    expect(added.body['clientId']).toBe(clientId);
    expect(await addressOf(clientId)).toEqual({ pairedOrigin: home });
    const again = await pair(await makeCode(), elsewhere);
    expect(again.body['clientId']).toBe(clientId);
    for (const { body } of [added, again]) {
      await call(url, 'POST', '/api/self-unpair', { body: { token: body['token'] } });
    }
    expect((await pair(await makeCode(), elsewhere)).status).toBe(409);
  });
});
