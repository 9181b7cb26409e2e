import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { METHODS } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { send } from '../problem.ts';
import { headOf, openRaw } from '../raw-connection.ts';

let cluster: TestInstances;
let url: string;
let account: TestAccount;
let key: string;
let pairing: Pairing;

beforeAll(async () => {
  cluster = await startInstances();
  [{ url }] = cluster.instances;
  account = await createAccount(url);
  key = await account.createKey();
  pairing = await account.pair();
});
afterAll(() => cluster.stop());

/** Sends what it is given and answers status, headers and body as they came. */
async function exchange(request: string): Promise<{ status: number; text: string }> {
  const { socket, status, received } = openRaw(url);
  socket.write(request);
  const found = { status: await status(), text: received() };
  socket.destroy();
  return found;
}

describe('every answer', () => {
  const everywhere = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': expect.stringMatching(
      /^default-src 'none';.*frame-ancestors 'none'/,
    ) as unknown,
  };
  const isPrivate = { ...everywhere, 'cache-control': 'no-store' };

  it('that is somebody’s own is kept by nobody', async () => {
    const module = await connectModule(url, pairing, () => ({ users: [] }));
    const asKey = { 'x-api-key': key };
    const asPerson = { authorization: `Bearer ${account.sessionToken}` };
    const answers = [
      await send('GET', `${url}/players?clientId=${pairing.clientId}`, { headers: asKey }),
      await send('GET', `${url}/clients`, { headers: asKey }),
      await send('GET', `${url}/auth/account`, { headers: asPerson }),
      await send('GET', `${url}/api/clients/${pairing.clientId}/active`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (const { headers } of answers) expect(headers).toMatchObject(isPrivate);
    await module.close();
  });

  it.each(['/auth/events', '/rolls/subscribe'])('that is a stream has them too: %s', async (path) => {
    const module = await connectModule(url, pairing, () => ({ users: [] }));
    const headers = { 'x-api-key': key, authorization: `Bearer ${account.sessionToken}` };
    const hangUp = new AbortController();
    const answer = await fetch(url + path, { headers, signal: hangUp.signal });
    expect([answer.status, Object.fromEntries(answer.headers)]).toMatchObject([200, everywhere]);
    expect(answer.headers.get('x-request-id')).toMatch(/^\w+-\w+$/);
    hangUp.abort();
    await module.close();
  });

  it.each([
    ['GET', '/clients', 401],
    ['GET', '/auth/account', 401],
    ['POST', '/auth/login', 400],
    ['GET', '/auth/key-request/x/status', 404],
    ['GET', '/nothing', 404],
    ['POST', '/clients', 405],
    ['GET', '/%zz', 400],
  ])('of %s %s, a problem of %i, is kept by nobody', async (method, path, status) => {
    const answer = await send(method, url + path, { headers: { 'content-type': 'application/json' } });
    expect(answer.status).toBe(status);
    // Where an answer would hold a secret, proxies may not compress the refusal either.
    expect(answer.headers).toMatchObject({
      ...everywhere,
      'cache-control': expect.stringMatching(/^no-store(, no-transform)?$/) as unknown,
    });
  });

  it('to what is not even a request has them too', async () => {
    const { status, text } = await exchange('nonsense\r\n\r\n');
    expect(status).toBe(400);
    for (const line of [
      'x-content-type-options: nosniff',
      'referrer-policy: no-referrer',
      'cache-control: no-store',
      "content-security-policy: default-src 'none'; frame-ancestors 'none'",
    ])
      expect(text).toContain(`${line}\r\n`);
  });

  it.each([
    ['/openapi.json', 'no-cache', ''],
    ['/docs', 'no-cache', "script-src 'self';"],
    ['/errors/not_found', 'no-cache', "style-src 'self';"],
    ['/dashboard', 'no-cache', "script-src 'self';"],
  ])('of the public %s has them, and its own cache-control and policy', async (path, cacheControl, may) => {
    const { headers } = await send('GET', url + path);
    expect(headers).toMatchObject(everywhere);
    expect(headers['content-security-policy']).toContain(may);
    expect(headers['cache-control']).toBe(cacheControl);
    expect(headers).not.toHaveProperty('strict-transport-security');
  });

  it('asks browsers for https alone where the public address is https, as long as the setting says', async () => {
    const tell = async (config: object) => {
      const other = await startInstances({ databaseUrl: cluster.databaseUrl, config });
      const { headers } = await send('GET', `${other.instances[0].url}/api/status`);
      const page = await send('GET', `${other.instances[0].url}/dashboard`);
      await other.stop();
      expect(page.headers['strict-transport-security']).toBe(headers['strict-transport-security']);
      return headers['strict-transport-security'];
    };
    expect(await tell({ publicUrl: 'https://relay.example' })).toBe('max-age=31536000');
    expect(await tell({ publicUrl: 'https://relay.example', hstsMaxAgeS: 0 })).toBe('max-age=0');
    expect(await tell({ publicUrl: 'http://relay.example' })).toBeUndefined();
  });
});

describe('a method', () => {
  const others = METHODS.filter((method) => !['GET', 'HEAD', 'POST', 'OPTIONS', 'CONNECT'].includes(method));

  it.each(others)(
    '%s is refused with what the path takes, and 404 where there is no path',
    async (method) => {
      for (const [path, allow] of [
        ['/players', 'GET, HEAD'],
        ['/sys5e/skill-check', 'POST'],
        ['/auth/login', 'POST'],
        ['/docs', 'GET, HEAD'],
      ]) {
        const { status, text } = await exchange(headOf(method, path!));
        expect([path, status]).toEqual([path, 405]);
        expect(text).toContain(`allow: ${allow}\r\n`);
        expect(text).toContain('application/problem+json');
      }
      expect((await exchange(headOf(method, '/nothing'))).status).toBe(404);
    },
  );

  it('CONNECT is refused like the others: this is no proxy', async () => {
    const { status, text } = await exchange('CONNECT example.org:443 HTTP/1.1\r\nhost: example.org\r\n\r\n');
    expect(status).toBe(405);
    expect(text).toContain('"code":"method_not_allowed"');
  });
});

describe('a request', () => {
  it('with two Host headers is refused', async () => {
    const { status, text } = await exchange(
      'GET /livez HTTP/1.1\r\nHost: localhost\r\nhost: evil.example\r\n\r\n',
    );
    expect(status).toBe(400);
    expect(text).toContain('"field":"host"');
  });

  it('with an empty chunked body and no type is one without a body', async () => {
    const { sessionToken } = await createAccount(url);
    const head =
      `POST /auth/logout HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${sessionToken}\r\n` +
      'transfer-encoding: chunked\r\n\r\n';
    expect((await exchange(`${head}1\r\nx\r\n0\r\n\r\n`)).status).toBe(415);
    expect((await exchange(`${head}0\r\n\r\n`)).status).toBe(200);
  });

  it('whose JSON is null where an object is due is refused', async () => {
    for (const path of ['/auth/pairing-codes', '/auth/api-keys', '/auth/login', '/auth/key-request']) {
      const answer = await send('POST', url + path, {
        headers: { 'content-type': 'application/json', authorization: `Bearer ${account.sessionToken}` },
        body: 'null',
      });
      expect([path, answer.status]).toEqual([path, 400]);
      expect(answer.body).toMatchObject({
        code: 'invalid_request',
        detail: expect.stringMatching(/body must be/) as unknown,
      });
    }
    const relayed = await call(url, 'POST', `/next-turn?clientId=${pairing.clientId}`, {
      headers: { 'x-api-key': key },
      body: null,
    });
    expect(relayed.body).toMatchObject({ code: 'invalid_request', errors: [{ field: 'body' }] });
  });
});
