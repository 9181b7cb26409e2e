import { call, createAccount } from '@tabletop-relay/testing/scenes';
import type { Answer, TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSecret } from '../../src/credentials/secret.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { openRaw } from '../raw-connection.ts';

let cluster: TestInstances;
let url: string;
let account: TestAccount;
let key: string;
let keyId: string;

beforeAll(async () => {
  cluster = await startInstances({ config: { trustedProxies: ['127.0.0.1'] } });
  [{ url }] = cluster.instances;
  account = await createAccount(url);
  key = await account.createKey({ scopes: ['clients:read'] });
  const { body } = await account.as('GET', '/auth/api-keys');
  keyId = (body['items'] as { id: string }[])[0]!.id;
});
afterAll(() => cluster.stop());

const from = (address: string, headers: Record<string, string> = {}) => ({
  headers: { 'x-forwarded-for': address, ...headers },
});
const lineOf = ({ headers }: Answer) =>
  cluster.logs.find(({ requestId }) => requestId === headers.get('x-request-id'));

it('a refused request’s line says from where it came, with whose key, and never the key', async () => {
  const unknown = createSecret('scopedKey').value;
  const guess = await call(url, 'GET', '/players', from('192.0.2.7', { 'x-api-key': unknown }));
  expect(lineOf(guess)).toMatchObject({ code: 'key_invalid', address: '192.0.2.7', route: '/players' });
  expect(lineOf(guess)).not.toHaveProperty('keyId');

  const narrow = await call(url, 'GET', '/players', from('192.0.2.8', { 'x-api-key': key }));
  const { accountId } = account;
  expect(lineOf(narrow)).toMatchObject({ code: 'scope_missing', address: '192.0.2.8', keyId, accountId });

  await account.as('PATCH', `/auth/api-keys/${keyId}`, {
    expiresAt: new Date(Date.now() + 200).toISOString(),
  });
  await expect
    .poll(async () => (await call(url, 'GET', '/clients', { headers: { 'x-api-key': key } })).body['code'])
    .toBe('key_expired');
  const expired = await call(url, 'GET', '/clients', from('192.0.2.9', { 'x-api-key': key }));
  expect(lineOf(expired)).toMatchObject({ code: 'key_expired', address: '192.0.2.9', keyId, accountId });

  const session = await account.as('GET', '/admin/accounts');
  expect(lineOf(session)).toMatchObject({ code: 'forbidden', address: '127.0.0.1', accountId });
  const printed = JSON.stringify(cluster.logs);
  for (const secret of [unknown, key, account.sessionToken]) expect(printed).not.toContain(secret);
  expect(JSON.stringify([expired.body, narrow.body])).not.toContain(accountId);
});

it('a refusal names the id that the caller gave, and the world; a foreseen reason has no stack', async () => {
  const headers = { 'x-api-key': key, 'x-request-id': 'bot-7:41' };
  const refused = await call(url, 'GET', '/players?clientId=nowhere', { headers });
  expect(refused.headers.get('x-caller-request-id')).toBe('bot-7:41');
  expect(lineOf(refused)).toMatchObject({ callerRequestId: 'bot-7:41' });
  const secret = await call(url, 'GET', '/players', { headers: { 'x-api-key': key, 'x-request-id': key } });
  expect(secret.headers.has('x-caller-request-id')).toBe(false);
  expect(JSON.stringify(lineOf(secret))).not.toContain(key);

  const able = await account.createKey({ scopes: ['user:read'] });
  const lost = await call(url, 'GET', '/players?clientId=nowhere', { headers: { 'x-api-key': able } });
  expect(lineOf(lost)).toMatchObject({ code: 'client_not_found', clientId: 'nowhere' });
});

it('refusals are counted by code and kind of route, of which there are few', async () => {
  const count = async (code: string, route: string) => {
    const metric = cluster.instances[0].registry.getSingleMetric('relay_requests_refused_total');
    const values = (await metric!.get()).values;
    return values.find(({ labels }) => labels['code'] === code && labels['route'] === route)?.value ?? 0;
  };
  const rows: [code: string, route: string, act: () => Promise<unknown>][] = [
    ['key_missing', 'operation', () => call(url, 'GET', '/players')],
    ['key_missing', 'operation', () => call(url, 'GET', '/clients')],
    ['session_missing', 'account', () => call(url, 'GET', '/auth/account')],
    ['not_found', 'service', () => call(url, 'GET', '/api/clients/nobody/active')],
    ['not_found', 'none', () => call(url, 'GET', `/${Math.random()}`)],
    ['method_not_allowed', 'none', () => call(url, 'DELETE', '/players')],
    [
      'invalid_request',
      'none',
      async () => {
        const { socket, status } = openRaw(url);
        socket.write('nonsense\r\n\r\n');
        await status();
      },
    ],
  ];
  for (const [code, route, act] of rows) {
    const before = await count(code, route);
    await act();
    expect([code, route, await count(code, route)]).toEqual([code, route, before + 1]);
  }
});
