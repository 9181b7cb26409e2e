import {
  bearer,
  call,
  connectModule,
  createAccount,
  makeAdministrator,
} from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let url: string;

beforeAll(async () => {
  cluster = await startInstances({ count: 2 });
  url = cluster.instances[0].url;
});
afterAll(() => cluster.stop());

const withKey = (key: string, path = '/clients', at = url) =>
  call(at, 'GET', path, { headers: { 'x-api-key': key } });

describe('an administrator', () => {
  async function createAdministrator() {
    const admin = await createAccount(url);
    await makeAdministrator(cluster.db, admin);
    return admin;
  }

  it('forces rotation: keys, pairing and new credentials stop until the master key is regenerated', async () => {
    const admin = await createAdministrator();
    const account = await createAccount(url);
    const key = await account.createKey();
    const pairing = await account.pair();
    const module = await connectModule(url, pairing);
    const code = (await account.as('POST', '/auth/pairing-codes', {})).body['code'];
    expect((await withKey(key)).status).toBe(200);
    const forced = await admin.as('POST', `/admin/accounts/${account.accountId}/force-rotation`);
    expect(forced).toMatchObject({ status: 200, body: { rotationRequired: true } });
    expect((await module.closed).code).toBe(4000);
    expect(await withKey(key)).toMatchObject({ status: 403, body: { code: 'rotation_required' } });
    expect(await withKey(account.masterKey)).toMatchObject({ status: 403 });
    const pair = await call(url, 'POST', '/auth/pair', { body: { code, worldId: 'w' } });
    expect(pair).toMatchObject({ status: 403, body: { code: 'rotation_required' } });
    expect(await account.as('POST', '/auth/pairing-codes', {})).toMatchObject({ status: 403 });
    const { email, password } = account;
    const login = await call(url, 'POST', '/auth/login', { body: { email, password } });
    expect(login.body['rotationRequired']).toBe(true);
    const rotated = await call(url, 'POST', '/auth/regenerate-key', { body: { email, password } });
    expect((await withKey(rotated.body['masterKey'] as string)).status).toBe(200);
  });

  it('disables an account and enables it again; no token is forgotten for it', async () => {
    const admin = await createAdministrator();
    const account = await createAccount(url);
    const key = await account.createKey();
    const pairing = await account.pair();
    const module = await connectModule(url, pairing);
    await admin.as('POST', `/admin/accounts/${account.accountId}/disable`);
    expect((await module.closed).code).toBe(4000);
    expect(await withKey(key)).toMatchObject({ status: 403, body: { code: 'account_disabled' } });
    expect(await account.as('GET', '/auth/account')).toMatchObject({ body: { code: 'session_invalid' } });
    const { email, password } = account;
    const { body: signedIn } = await call(url, 'POST', '/auth/login', { body: { email, password } });
    const headers = bearer(String(signedIn['sessionToken']));
    expect(await call(url, 'GET', '/auth/api-keys', { headers })).toMatchObject({
      status: 403,
      body: { code: 'account_disabled' },
    });
    const shown = await call(url, 'GET', '/auth/account', { headers });
    expect(shown).toMatchObject({ status: 200, body: { disabled: true } });
    await admin.as('POST', `/admin/accounts/${account.accountId}/enable`);
    expect((await withKey(key)).status).toBe(200);
    await (await connectModule(url, pairing)).close();
  });

  it('is the only one who may', async () => {
    const account = await createAccount(url);
    const paths = ['force-rotation', 'disable', 'enable', 'end-sessions'].map(
      (action) => `/admin/accounts/${account.accountId}/${action}`,
    );
    for (const path of paths) {
      expect(await account.as('POST', path)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
    expect(await account.as('GET', '/admin/accounts')).toMatchObject({ status: 403 });
    const sessions = `/admin/accounts/${account.accountId}/sessions`;
    expect(await account.as('GET', sessions)).toMatchObject({ status: 403 });
    expect(await account.as('DELETE', `${sessions}/any`)).toMatchObject({ status: 403 });
    expect(await call(url, 'GET', '/admin/accounts')).toMatchObject({ status: 401 });
  });
});
