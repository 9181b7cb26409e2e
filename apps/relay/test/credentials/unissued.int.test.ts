import { call, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSecret } from '../../src/credentials/secret.ts';
import { sendAsBrowser } from '../browser-request.ts';
import { defaultLimits, startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let url: string;
let account: TestAccount;

beforeAll(async () => {
  cluster = await startInstances();
  url = cluster.instances[0].url;
  account = await createAccount(url);
});
afterAll(() => cluster.stop());

const send = (method: string, path: string, headers: Record<string, string>, body?: object, at = url) =>
  sendAsBrowser(at + path, method, headers, body);

describe('a key or token that nobody issued', () => {
  const malformed = [
    '',
    'x',
    'null',
    'trk_',
    `trk_${'0'.repeat(38)}`,
    'a'.repeat(8000),
    "' or 1=1 --",
    'trk_\u00e9',
  ];

  it.each(malformed)('is refused without a look-up: %j', async (key) => {
    const answer = await send('GET', '/clients', { 'x-api-key': encodeURIComponent(key) });
    expect(answer.status).toBe(401);
    expect(answer.body['code']).toBe(key === '' ? 'key_missing' : 'key_invalid');
    const session = await send('GET', '/auth/account', {
      authorization: `Bearer ${encodeURIComponent(key)}`,
    });
    expect(session.status).toBe(401);
  });

  it.each(malformed)('is refused in a body, and is no fault of ours: %j', async (value) => {
    const password = 'vexed otter piano';
    for (const [path, body] of [
      ['/auth/reset-password', { token: value, password }],
      ['/auth/pair', { code: value, worldId: 'w' }],
      ['/auth/key-request/exchange', { code: value }],
    ] as const) {
      const answer = await call(url, 'POST', path, { body });
      expect([400, 404], path).toContain(answer.status);
      expect(['invalid_request', 'not_found'], path).toContain(answer.body['code']);
    }
    const unpaired = await call(url, 'POST', '/api/self-unpair', { body: { token: value } });
    expect([200, 400]).toContain(unpaired.status);
  });

  it('that exists but is of another kind opens nothing', async () => {
    const { token } = await account.pair();
    const key = await account.createKey();
    for (const wrong of [token, account.sessionToken]) {
      expect(await send('GET', '/clients', { 'x-api-key': wrong })).toMatchObject({
        status: 401,
        body: { code: 'key_invalid' },
      });
    }
    for (const wrong of [token, key, account.masterKey]) {
      expect(await send('GET', '/auth/account', { authorization: `Bearer ${wrong}` })).toMatchObject({
        status: 401,
      });
    }
  });

  it('costs its sender: 30 a minute and address, and valid keys that are known go on', async () => {
    const own = await startInstances({ databaseUrl: cluster.databaseUrl, config: defaultLimits });
    try {
      const at = own.instances[0].url;
      const key = await account.createKey();
      const ask = async (value: string) =>
        (await send('GET', '/clients', { 'x-api-key': value }, undefined, at)).status;
      expect(await ask(key)).toBe(200);
      const statuses: number[] = [];
      for (let i = 0; i < 35; i++) statuses.push(await ask(createSecret('scopedKey').value));
      expect(statuses.filter((status) => status === 401)).toHaveLength(30);
      expect(statuses.slice(30)).toEqual([429, 429, 429, 429, 429]);
      expect(await ask(key)).toBe(200);
    } finally {
      await own.stop();
    }
  });
});
