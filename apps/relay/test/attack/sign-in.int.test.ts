import { needsKeyByHand, operations, scopeNames, signInScopes, toolNameOf } from '@tabletop-relay/contract';
import type { FakeModule } from '@tabletop-relay/testing';
import { bearer, call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTwo } from '../drivers.ts';
import type { TwoInstances } from '../drivers.ts';
import { codeOf, createBrowser, pkce, postForm } from '../oauth/program.ts';
import {
  approvedCode,
  callback,
  exchangeCode,
  mcp,
  prepareRequest,
  registerClient,
  wide,
} from '../oauth/raw-steps.ts';
import type { Approved, Change, Client } from '../oauth/raw-steps.ts';

let two: TwoInstances;
let url: string;
let account: TestAccount;
let other: TestAccount;
let pairing: Pairing;
let module: FakeModule;

beforeAll(async () => {
  two = await startTwo('memory');
  ({ url } = two.first);
  [account, other] = await Promise.all([createAccount(url), createAccount(url)]);
  pairing = await account.pair();
  module = await connectModule(url, pairing, () => ({}));
});
afterAll(async () => {
  await module.close();
  await two.stop();
});

const register = (more?: object) => registerClient(url, more);
const prepare = (change?: Change, client?: Client) => prepareRequest(url, change, client);
const approved = (change?: Change, client?: Client) => approvedCode({ url, account }, change, client);
const exchange = (asked: Approved, change?: Change) => exchangeCode(url, asked, change);

async function tokens() {
  const asked = await approved();
  const { body } = await exchange(asked);
  return { ...asked, access: String(body['access_token']), refresh: String(body['refresh_token']) };
}

const list = { method: 'tools/list' };
const isDead = async (token: string) => {
  for (const at of [two.first.url, two.second.url])
    // oxlint-disable-next-line no-await-in-loop -- One instance after the other.
    await expect.poll(async () => (await mcp(at, token, list)).status, { timeout: 1_000 }).toBe(401);
};

describe('consent', () => {
  it('is given by no page of another origin, and by no other browser', async () => {
    const { address } = await prepare();
    const browser = createBrowser(url);
    const code = codeOf(await browser.open(address));
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const session = `trs=${account.sessionToken}`;
    const path = '/oauth/request/approve';
    const terms = { code, ...wide };
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: url, 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      {},
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- One try after the other.
      const answer = await call(url, 'POST', path, {
        headers: { cookie: `${cookie}; ${session}`, ...headers },
        body: terms,
      });
      expect(answer.status, JSON.stringify(headers)).toBe(403);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
    // A forwarded link: another person's browser, with and without a request of its own.
    const victim = createBrowser(url);
    for (const verb of ['approve', 'deny'])
      // oxlint-disable-next-line no-await-in-loop -- As above.
      expect(
        (await victim.as(other, 'POST', `/oauth/request/${verb}`, verb === 'deny' ? { code } : terms)).status,
      ).toBe(403);
    expect((await victim.as(other, 'GET', `/oauth/request?code=${code}`)).status).toBe(403);
    await victim.open((await prepare()).address);
    expect((await victim.as(other, 'POST', path, terms)).status).toBe(403);
    expect((await browser.as(account, 'GET', `/oauth/request?code=${code}`)).body['status']).toBe('pending');
  });

  it('is opened as a page alone, which nothing frames', async () => {
    const { address } = await prepare();
    for (const destination of ['iframe', 'frame', 'image', 'script', 'object', 'embed', 'empty']) {
      // oxlint-disable-next-line no-await-in-loop -- One try after the other.
      const response = await fetch(address, {
        redirect: 'manual',
        headers: { 'sec-fetch-dest': destination },
      });
      expect(response.headers.get('location'), destination).toBe('/oauth/refused?why=origin_refused');
      expect(response.headers.getSetCookie()).toEqual([]);
    }
    const page = await createBrowser(url).open(address);
    const { headers } = await fetch(page);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-frame-options')).toBe('DENY');
  });

  it('names the host of the redirect, whatever the program calls itself', async () => {
    const homograph = await register({ redirect_uris: ['https://\u0441laude.ai/cb'] });
    expect(homograph).toMatchObject({ error: 'invalid_redirect_uri' });
    const spelled = await register({
      redirect_uris: ['https://xn--laude-6ve.ai/cb'],
      client_name: 'a\u202Eb\u0000c',
    });
    const { address } = await prepare({ redirect_uri: 'https://xn--laude-6ve.ai/cb' }, spelled);
    const browser = createBrowser(url);
    const { body } = await browser.as(
      account,
      'GET',
      `/oauth/request?code=${codeOf(await browser.open(address))}`,
    );
    expect(body).toMatchObject({ host: 'xn--laude-6ve.ai', clientName: 'a b c' });
  });

  it.each([
    'https://evil.example/cb', `${callback}/`, `${callback}?x=1`, `${callback}#x`, 'https://claude.ai.evil.example/api/mcp/auth_callback',
    'https://claude.ai@evil.example/api/mcp/auth_callback', 'HTTPS://CLAUDE.AI/api/mcp/auth_callback', 'http://claude.ai/api/mcp/auth_callback',
    'https://claude.ai:443/api/mcp/auth_callback', 'https://claude.ai/api/mcp/../mcp/auth_callback', 'javascript:alert(1)', 'data:text/html,x', 'cursor://evil/oauth/callback', '',
  ])('leads nowhere where the redirect is %j', async (redirect) => {
    const { address } = await prepare({ redirect_uri: redirect });
    const page = await createBrowser(url).open(address);
    expect(page.origin).toBe(url);
    expect(page.pathname).toBe('/oauth/refused');
  }); // prettier-ignore

  it.each([
    { code_challenge_method: undefined }, { code_challenge_method: 'plain' }, { code_challenge: undefined }, { code_challenge: 'short' },
    { response_type: 'token' }, { response_type: 'code token' }, { resource: 'https://evil.example/mcp' }, { resource: 'x' }, { client_id: 'x.y' }, { client_id: '' },
  ])('is asked for in no weaker way: %j', async (change) => {
    const { address } = await prepare(change);
    const browser = createBrowser(url);
    expect((await browser.open(address)).pathname).toBe('/oauth/refused');
    expect(browser.cookies.size).toBe(0);
  }); // prettier-ignore

  it('gives none of the scopes that no sign-in gives', async () => {
    const { address } = await prepare({ scope: scopeNames.join(' ') });
    const browser = createBrowser(url);
    const code = codeOf(await browser.open(address));
    const { body } = await browser.as(account, 'GET', `/oauth/request?code=${code}`);
    expect(body['scopes']).toEqual(signInScopes);
    for (const scope of scopeNames.filter((one) => !signInScopes.includes(one))) {
      // oxlint-disable-next-line no-await-in-loop -- One try after the other.
      const answer = await browser.as(account, 'POST', '/oauth/request/approve', {
        code,
        ...wide,
        scopes: [scope],
      });
      expect(answer, scope).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    }
  });
});

describe('a code', () => {
  it('is worth nothing at the exchange of keys, and theirs nothing here', async () => {
    const asked = await approved();
    const there = { body: { code: asked.code }, headers: { 'x-poll-verifier': asked.verifier } };
    expect((await call(url, 'POST', '/auth/key-request/exchange', there)).status).toBe(404);
    for (const code of [asked.code, codeOf(asked.page)])
      // oxlint-disable-next-line no-await-in-loop -- One try after the other.
      expect((await call(url, 'GET', `/auth/key-request/${code}/status`)).status).toBe(404);
    const { challenge, verifier } = pkce();
    const { body: request } = await call(url, 'POST', '/auth/key-request', {
      body: { appName: 'X', scopes: ['roll:execute'], callbackUrl: callback, pollChallenge: challenge },
    });
    const { body: decision } = await account.as(
      'POST',
      `/auth/key-request/${String(request['code'])}/approve`,
      {},
    );
    const theirs = new URL(String(decision['redirectUrl'])).searchParams.get('code') ?? '';
    for (const code of [theirs, String(request['code']), codeOf(asked.page)]) {
      // oxlint-disable-next-line no-await-in-loop -- As above.
      const { status, body: refused } = await exchange({ ...asked, verifier, code });
      expect([status, refused['error']]).toEqual([400, expect.stringMatching(/^invalid_(grant|request)$/)]);
    }
    expect((await exchange(asked)).status).toBe(200);
  });

  it('is exchanged by its client alone, with its verifier and redirect', async () => {
    const asked = await approved();
    const stranger = await register();
    for (const change of [
      { client_id: stranger.client_id },
      { client_id: `${asked.client.client_id}x` },
      { code_verifier: pkce().verifier },
      { code_verifier: undefined },
      { code_verifier: '' },
      { redirect_uri: 'https://evil.example/cb' },
      { resource: 'https://evil.example/mcp' },
      { client_secret: 'x' },
      { grant_type: 'password' },
      { grant_type: undefined },
    ])
      // prettier-ignore
      // oxlint-disable-next-line no-await-in-loop -- One try after the other.
      expect((await exchange(asked, change)).status, JSON.stringify(change)).toBeGreaterThanOrEqual(400);
    expect((await exchange(asked)).status).toBe(200);
  });

  it('needs the secret, in the registered way, where the client has one', async () => {
    const client = await register({ token_endpoint_auth_method: 'client_secret_basic' });
    const asked = await approved({}, client);
    const other = await register({ token_endpoint_auth_method: 'client_secret_basic' });
    const basic = (secret = '') => `Basic ${Buffer.from(`${client.client_id}:${secret}`).toString('base64')}`;
    expect((await exchange(asked)).status).toBe(401);
    expect((await exchange(asked, { client_secret: client.client_secret })).status).toBe(401);
    const send = (authorization: string) =>
      postForm(
        url,
        '/oauth/token',
        { grant_type: 'authorization_code', code: asked.code, code_verifier: asked.verifier },
        { authorization },
      );
    const refused = await send(basic(other.client_secret));
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toMatch(/^Basic/);
    expect((await send(basic(client.client_secret))).status).toBe(200);
  });

  it('ends the sign-in where it is exchanged again, on both instances', async () => {
    const first = await tokens();
    expect((await mcp(two.second.url, first.access, list)).status).toBe(200);
    expect(await exchange(first)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    await isDead(first.access);
    const refreshed = await postForm(url, '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: first.refresh,
      client_id: first.client.client_id,
    });
    expect(refreshed).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('is exchanged once by many at once', async () => {
    const asked = await approved();
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(asked)));
    const good = answers.filter(({ status }) => status === 200);
    expect(good.length).toBe(1);
    await isDead(String(good[0]?.body['access_token']));
  });
});

describe('a token', () => {
  it('opens nothing but /mcp', async () => {
    const { access, refresh } = await tokens();
    expect((await mcp(url, access, list)).status).toBe(200);
    for (const token of [access, refresh]) {
      // oxlint-disable-next-line no-await-in-loop -- One try after the other.
      const statuses = await Promise.all([
        account
          .as('GET', '/auth/api-keys')
          .then(() => call(url, 'GET', '/auth/api-keys', { headers: bearer(token) })),
        call(url, 'GET', '/auth/account', { headers: { cookie: `trs=${token}` } }),
        call(url, 'GET', '/auth/export', { headers: bearer(token) }),
        call(url, 'GET', '/clients', { headers: { 'x-api-key': token } }),
        call(url, 'GET', `/players?clientId=${pairing.clientId}`, { headers: { 'x-api-key': token } }),
        call(url, 'GET', `/players?clientId=${pairing.clientId}`, { headers: bearer(token) }),
        call(url, 'GET', `/rolls/subscribe?clientId=${pairing.clientId}`, {
          headers: { 'x-api-key': token },
        }),
        call(url, 'POST', '/events/tickets', { headers: { 'x-api-key': token }, body: { channel: 'rolls' } }),
        call(url, 'GET', '/session', { headers: { 'x-api-key': token } }),
      ]);
      expect(statuses.map(({ status }) => status)).toEqual(Array(statuses.length).fill(401));
    }
    expect((await mcp(url, refresh, list)).status).toBe(401);
  });

  it('reaches none of the audited operations, by any spelling', async () => {
    const { access } = await tokens();
    const audited = operations.filter(({ scope }) => needsKeyByHand(scope));
    expect(audited.length).toBe(6);
    const before = module.received?.length ?? 0;
    for (const { name } of audited) {
      for (const spelling of [
        name,
        toolNameOf(name),
        name.toUpperCase(),
        ` ${name}`,
        name.replaceAll('-', '_'),
        `/${name}`,
      ])
        for (const params of [
          { name: spelling, arguments: { world: pairing.clientId } },
          { name: 'call_operation', arguments: { name: spelling, world: pairing.clientId, arguments: {} } },
          {
            name: 'call_operation',
            arguments: { name: spelling, arguments: { clientId: pairing.clientId } },
          },
        ]) {
          // oxlint-disable-next-line no-await-in-loop -- One try after the other.
          const { status, body } = await mcp(url, access, { method: 'tools/call', params });
          const result = body['result'] as { isError?: boolean } | undefined;
          expect(
            status !== 200 || result === undefined || result.isError === true,
            JSON.stringify(params),
          ).toBe(true);
        }
    }
    expect(module.received?.length ?? 0).toBe(before);
  });

  it('holds no more after its owner has changed the key, by hand or in the database', async () => {
    const { access } = await tokens();
    const { items } = (await account.as('GET', '/auth/api-keys')).body as { items: { id: string }[] };
    const id = items[0]?.id ?? '';
    expect((await account.as('PATCH', `/auth/api-keys/${id}`, { scopes: ['script:execute'] })).status).toBe(
      400,
    );
    expect((await account.as('POST', `/auth/api-keys/${id}/roll`, {})).status).toBe(409);
    await two.cluster.db
      .updateTable('apiKeys')
      .set({ scopes: [...scopeNames], scopesByHand: true })
      .where('id', '=', id)
      .execute();
    const { body } = await mcp(two.second.url, access, {
      method: 'tools/call',
      params: { name: 'call_operation', arguments: { name: 'execute-js', arguments: { script: '1' } } },
    });
    expect(body['result']).toMatchObject({ isError: true });
  });

  it('ends with the keys of its account, and with its pause', async () => {
    const { access } = await tokens();
    const { items } = (await account.as('GET', '/auth/api-keys')).body as { items: { id: string }[] };
    const id = items[0]?.id ?? '';
    await account.as('POST', `/auth/api-keys/${id}/pause`);
    await expect
      .poll(async () => (await mcp(two.second.url, access, list)).status, { timeout: 1_000 })
      .toBe(403);
    await account.as('POST', `/auth/api-keys/${id}/resume`);
    await expect
      .poll(async () => (await mcp(two.second.url, access, list)).status, { timeout: 1_000 })
      .toBe(200);
    await account.as('POST', '/auth/regenerate-key', {
      email: account.email,
      password: account.password,
    });
    await isDead(access);
  });
});

describe('registration and documents', () => {
  it('keep no row, and a registration that was changed is no client', async () => {
    const { client_id: id } = await register();
    const [text = '', signature] = id.split('.');
    const written = JSON.parse(Buffer.from(text, 'base64url').toString()) as { r: string[] };
    written.r = ['https://evil.example/cb'];
    const forged = `${Buffer.from(JSON.stringify(written)).toString('base64url')}.${signature}`;
    const { address } = await prepare({ client_id: forged, redirect_uri: 'https://evil.example/cb' });
    expect((await createBrowser(url).open(address)).search).toBe('?why=client_unknown');
  });
});
