import { connectFakeModule, waitFor } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSecret } from '../../src/credentials/secret.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let account: TestAccount;
let pairing: Pairing;
let key: string;
let fresh: string;
/** The instance that came after the one that saw the key and the token. */
let url: string;

const list = async (apiKey: string, at = url) =>
  (await call(at, 'GET', '/clients', { headers: { 'x-api-key': apiKey } })).status;

beforeAll(async () => {
  cluster = await startInstances({ config: { limitUnknownKeys: '3 per 10 min' } });
  const [first] = cluster.instances;
  account = await createAccount(first.url);
  pairing = await account.pair();
  [key, fresh] = [await account.createKey(), await account.createKey()];
  await (await connectModule(first.url, pairing)).close();
  for (const used of [key, account.masterKey]) await list(used, first.url);
  await first.stop();
  ({ url } = await cluster.add());
  // All unknown keys that this address may try.
  await waitFor(async () => (await list(createSecret('scopedKey').value)) === 429);
});
afterAll(() => cluster.stop());

describe('while others behind an address try unknown keys', () => {
  it('a key that was valid before goes on, also after a restart', async () => {
    expect(await list(key)).toBe(200);
    expect(await list(account.masterKey)).toBe(200);
    // It was never used: nothing tells it from nonsense but a look-up.
    expect(await list(fresh)).toBe(429);
  });

  it('so does a connection token', async () => {
    const module = await connectModule(url, pairing);
    await module.close();
    const token = createSecret('connectionToken').value;
    const unknown = await connectFakeModule({ url, token, clientId: pairing.clientId });
    expect(await unknown.closed).toMatchObject({ code: 4000 });
  });

  it('a key goes on when its account changes, as long as it is valid', async () => {
    const { body } = await call(url, 'GET', '/auth/api-keys', {
      headers: { authorization: `Bearer ${account.sessionToken}` },
    });
    const ids = (body['items'] as { id: string; lastUsedAt: string | null }[]).filter(
      ({ lastUsedAt }) => lastUsedAt !== null,
    );
    expect(ids).toHaveLength(1);
    const change = (method: string, changed?: object) =>
      call(url, method, `/auth/api-keys/${ids[0]!.id}`, {
        headers: { authorization: `Bearer ${account.sessionToken}` },
        ...(changed && { body: changed }),
      });
    await change('PATCH', { name: 'renamed' });
    expect(await list(key)).toBe(200);
    await change('DELETE');
    expect(await list(key)).toBe(401);
    expect(await list(key)).toBe(429);
  });
});

it('a pairing code that can be none is no guess, and counts against nobody but its sender', async () => {
  const pair = (code: string) => call(url, 'POST', '/auth/pair', { body: { code, worldId: 'w' } });
  const failures = async () => {
    const rows = await cluster.db.selectFrom('pairingFailures').select('failures').execute();
    return rows.reduce((sum, row) => sum + row.failures, 0);
  };
  for (const code of ['', 'ABC', 'ABCDEFG', 'IO0111', '!!!!!!']) {
    expect((await pair(code)).body).toMatchObject({
      code: expect.stringMatching(/not_found|invalid/) as unknown,
    });
  }
  expect(await failures()).toBe(0);
  expect((await pair('ABCDEF')).status).toBe(404);
  expect(await failures()).toBe(1);
});
