import { createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendAsBrowser } from '../browser-request.ts';
import { startInstances } from '../instances.ts';
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

describe('a request of another site', () => {
  const cookie = () => `trs=${account.sessionToken}`;
  const own = () => new URL(url).origin;

  it.each<[string, () => Record<string, string>, number]>([
    ['with neither header', () => ({}), 403],
    ['cross-site', () => ({ 'sec-fetch-site': 'cross-site' }), 403],
    ['same-site but another origin', () => ({ 'sec-fetch-site': 'same-site' }), 403],
    ['with a foreign Origin', () => ({ origin: 'https://evil.example' }), 403],
    ['with Origin null', () => ({ origin: 'null' }), 403],
    [
      'that claims our Origin but is cross-site',
      () => ({ origin: own(), 'sec-fetch-site': 'cross-site' }),
      403,
    ],
    ['same-origin', () => ({ 'sec-fetch-site': 'same-origin' }), 200],
    ['with our Origin', () => ({ origin: own() }), 200],
  ])('by cookie, %s: %s', async (_name, headers, status) => {
    const answer = await send('POST', '/auth/pairing-codes', { cookie: cookie(), ...headers() }, {});
    expect([answer.status, answer.body['code'] === 'origin_refused']).toEqual([status, status === 403]);
  });

  it('may not sign a visitor in, nor register one', async () => {
    const body = { email: account.email, password: account.password };
    for (const path of ['/auth/login', '/auth/register', '/auth/regenerate-key', '/auth/forgot-password']) {
      const answer = await send('POST', path, { origin: 'https://evil.example' }, body);
      expect(answer).toMatchObject({ status: 403, body: { code: 'origin_refused' } });
      expect(answer.setCookie).toEqual([]);
    }
  });

  it('cannot use the cookie by adding a Bearer header', async () => {
    const headers = { cookie: cookie(), authorization: 'Bearer nonsense', 'sec-fetch-site': 'same-origin' };
    expect(await send('GET', '/auth/account', headers)).toMatchObject({ status: 401 });
  });

  it('sends text/plain in vain', async () => {
    const answer = await send(
      'POST',
      '/auth/login',
      { 'content-type': 'text/plain' },
      { email: account.email, password: account.password },
    );
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  });
});

describe('the session cookie', () => {
  it('is HttpOnly and Lax, and over https __Host- and Secure', async () => {
    const secure = await startInstances({
      databaseUrl: cluster.databaseUrl,
      config: { publicUrl: 'https://relay.example' },
    });
    try {
      const body = { email: account.email, password: account.password };
      const [plain] = (await send('POST', '/auth/login', {}, body)).setCookie;
      const [overTls] = (await send('POST', '/auth/login', {}, body, secure.instances[0].url)).setCookie;
      const attributes = 'Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000';
      expect(plain).toMatch(new RegExp(`^trs=trs_\\w+; ${attributes}$`));
      expect(overTls).toMatch(new RegExp(`^__Host-trs=trs_\\w+; ${attributes}; Secure$`));
      const token = /trs_\w+/.exec(overTls ?? '')?.[0];
      const get = (cookie: string) =>
        send('GET', '/auth/account', { cookie }, undefined, secure.instances[0].url);
      expect((await get(`__Host-trs=${token}`)).status).toBe(200);
      // A cookie that another host of the domain, or plain http, could have set.
      expect((await get(`trs=${token}`)).status).toBe(401);
    } finally {
      await secure.stop();
    }
  });
});
