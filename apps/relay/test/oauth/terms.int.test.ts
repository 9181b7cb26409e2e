import { assistantPresets } from '@tabletop-relay/contract';
import type { RelaySecrets } from '@tabletop-relay/database';
import { startHttpsServer } from '@tabletop-relay/testing';
import type { TestHttpsServer } from '@tabletop-relay/testing';
import { call, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { TestProgram, codeOf, connect, createBrowser, postForm, signIn } from './program.ts';
import {
  approvedCode,
  callback,
  exchangeCode,
  mcp,
  prepareRequest,
  registerClient,
  wide,
} from './raw-steps.ts';

const old: RelaySecrets = ['the secret of last year, of tests.'];
const both: RelaySecrets = ['the secret of this year, of tests.', ...old];
const list = { method: 'tools/list' };

let cluster: TestInstances;
let url: string;
let account: TestAccount;

beforeAll(async () => {
  cluster = await startInstances({
    count: 3,
    secrets: [old, both, [both[0]]],
    config: { outboundAllow: ['127.0.0.0/8'], limitOauthToken: '5 per 1 h' },
  });
  [{ url }] = cluster.instances;
  account = await createAccount(url);
});
afterAll(() => cluster.stop());

const newest = async () => {
  const { items } = (await account.as('GET', '/auth/api-keys')).body as {
    items: { id: string; name: string }[];
  };
  return items;
};

const refresh = (at: string, clientId: string, token: string) =>
  postForm(at, '/oauth/token', { grant_type: 'refresh_token', refresh_token: token, client_id: clientId });

describe('a client that publishes a document', () => {
  let server: TestHttpsServer;
  let answer: { status?: number; type?: string; body: (own: string) => unknown };
  let asked: string[] = [];
  beforeAll(async () => {
    server = await startHttpsServer((request, response) => {
      asked.push(request.url ?? '');
      const own = `${server.url}${request.url}`;
      const { status = 200, type = 'application/json', body } = answer;
      const given = body(own);
      const text = typeof given === 'string' ? given : JSON.stringify(given);
      response.writeHead(status, { 'content-type': type, location: `${server.url}/elsewhere` }).end(text);
    });
  });
  afterEach(() => (asked = []));
  afterAll(() => server.stop());

  const good = (own: string) => ({ client_id: own, client_name: 'Published', redirect_uris: [callback] });

  it('is signed in by the library, and read once', async () => {
    answer = { body: good };
    const program = new TestProgram({ documentUrl: `${server.url}/client.json` });
    const { client } = await signIn(url, account, { program });
    expect(program.information?.client_id).toBe(`${server.url}/client.json`);
    expect((await newest())[0]?.name).toBe('Published (claude.ai)');
    await client.close();
    await createBrowser(url).open(
      (await prepareRequest(url, { client_id: `${server.url}/client.json` })).address,
    );
    expect(asked).toEqual(['/client.json']);
  });

  it.each([
    ['document_unreachable', { status: 302, body: good }],
    ['document_unreachable', { status: 404, body: good }],
    ['document_wrong', { type: 'text/html', body: good }],
    ['document_wrong', { body: () => 'no json' }],
    ['document_wrong', { body: () => good('https://other.example/client.json') }],
    [
      'document_wrong',
      { body: (own: string) => ({ ...good(own), redirect_uris: ['http://evil.example/cb'] }) },
    ],
    [
      'document_wrong',
      { body: (own: string) => ({ ...good(own), token_endpoint_auth_method: 'private_key_jwt' }) },
    ],
    ['document_wrong', { body: (own: string) => JSON.stringify({ ...good(own), more: 'x'.repeat(16_384) }) }],
    [
      'redirect_unknown',
      { body: (own: string) => ({ ...good(own), redirect_uris: ['https://other.example/cb'] }) },
    ],
  ] as const)('%s: %j', async (why, given) => {
    answer = given;
    const clientId = `${server.url}/${Math.random()}.json`;
    const browser = createBrowser(url);
    const code = codeOf(await browser.open((await prepareRequest(url, { client_id: clientId })).address));
    // Strangers make the relay fetch nothing.
    expect(asked).toEqual([]);
    const shown = await browser.as(account, 'GET', `/oauth/request?code=${code}`);
    expect(shown.body).toMatchObject({ refusal: why, host: null, status: 'pending' });
    const verdicts = [
      await browser.as(account, 'POST', '/oauth/request/approve', { code, ...wide }),
      await browser.as(account, 'POST', '/oauth/request/deny', { code }),
    ];
    const refused = [409, undefined];
    expect(verdicts.map(({ status, body }) => [status, body['redirectUrl']])).toEqual([refused, refused]);
    expect(asked.length).toBe(1);
  });

  it.each(['http://localhost/c', 'https://localhost', 'https://u@localhost/c', 'https://localhost/c#x', 'https://LOCALHOST/c', 'ftp://localhost/c'])(
    'is none whose id is %s',
    async (id) => {
      const { address } = await prepareRequest(url, { client_id: id });
      expect((await createBrowser(url).open(address)).search).toBe('?why=client_unknown');
    },
  ); // prettier-ignore

  it('is not fetched from networks of our own, nor where that is off', async () => {
    const closed = await startInstances({ databaseUrl: cluster.databaseUrl });
    const off = await startInstances({
      databaseUrl: cluster.databaseUrl,
      config: { clientDocuments: 'off' },
    });
    for (const [instances, why] of [
      [closed, 'document_unreachable'],
      [off, 'documents_off'],
    ] as const) {
      const [{ url: at }] = instances.instances;
      // oxlint-disable-next-line no-await-in-loop -- One after the other.
      const { address } = await prepareRequest(at, { client_id: `${server.url}/client.json` });
      const browser = createBrowser(at);
      // oxlint-disable-next-line no-await-in-loop -- As above.
      const page = await browser.open(address);
      // oxlint-disable-next-line no-await-in-loop -- As above.
      const { body } = await browser.as(account, 'GET', `/oauth/request?code=${codeOf(page)}`);
      expect(body['refusal'] ?? page.searchParams.get('why')).toBe(why);
    }
    const { body } = await call(off.instances[0].url, 'GET', '/.well-known/oauth-authorization-server');
    expect(body['client_id_metadata_document_supported']).toBe(false);
    expect(asked).toEqual([]);
    await Promise.all([closed.stop(), off.stop()]);
  });
});

test('after RELAY_SECRET was changed sign-ins go on, and a new one needs a new registration', async () => {
  const [, second, third] = cluster.instances as unknown as { url: string }[];
  const client = await registerClient(url, { token_endpoint_auth_method: 'client_secret_post' });
  const open = async (at: string) => {
    const { address } = await prepareRequest(at, {}, client);
    return await createBrowser(at).open(address);
  };
  expect((await open(second!.url)).pathname).toBe('/oauth/consent');
  const asked = await approvedCode({ url: second!.url, account }, {}, client);
  const secret = { client_secret: client.client_secret };
  const { body } = await exchangeCode(third!.url, asked, secret);
  expect(body).toHaveProperty('refresh_token');
  expect((await open(third!.url)).search).toBe('?why=client_unknown');
  const refreshed = await postForm(third!.url, '/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token: String(body['refresh_token']),
    client_id: client.client_id,
    ...secret,
  });
  expect(refreshed.status).toBe(200);
});

test('registration takes six redirects and 2 kB, and leaves out what is not taken', async () => {
  const six = Array.from({ length: 6 }, (_, index) => `https://claude.ai/${index}`);
  const bad = [
    'http://claude.ai/cb',
    'javascript:alert(1)',
    'https://u:p@claude.ai/',
    'myapp://cb',
    'https://claude.ai/#x',
    'https://claude.ai/?code=x',
  ];
  const own = 'cursor://anysphere.cursor-mcp/oauth/callback';
  expect(await registerClient(url, { redirect_uris: [...six.slice(1), ...bad, own] })).toMatchObject({
    redirect_uris: [...six.slice(1), own],
    client_name: 'Claude',
  });
  const refused = (more: object) => call(url, 'POST', '/oauth/register', { body: more });
  expect(await refused({ redirect_uris: [...six, own] })).toMatchObject({
    status: 400,
    body: { error: 'invalid_client_metadata', error_description: expect.stringContaining('6') as unknown },
  });
  expect(await refused({ redirect_uris: bad })).toMatchObject({
    status: 400,
    body: { error: 'invalid_redirect_uri' },
  });
  const long = six.map((uri) => `${uri}/${'x'.repeat(300)}`);
  expect(await refused({ redirect_uris: long })).toMatchObject({
    body: { error: 'invalid_client_metadata' },
  });
  expect(
    await refused({ redirect_uris: [callback], token_endpoint_auth_method: 'private_key_jwt' }),
  ).toMatchObject({
    body: { error: 'invalid_client_metadata' },
  });
  expect(await refused({})).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
});

test('a program on the machine itself is told at any port', async () => {
  const client = await registerClient(url, {
    redirect_uris: ['http://127.0.0.1/cb', 'http://localhost:1/cb'],
  });
  const led = async (redirect: string) =>
    (await createBrowser(url).open((await prepareRequest(url, { redirect_uri: redirect }, client)).address))
      .pathname;
  for (const good of ['http://127.0.0.1:4711/cb', 'http://127.0.0.1/cb', 'http://localhost:4711/cb'])
    // oxlint-disable-next-line no-await-in-loop -- One after the other.
    expect(await led(good), good).toBe('/oauth/consent');
  for (const bad of [
    'http://127.0.0.1:4711/other',
    'http://127.0.0.2:4711/cb',
    'https://127.0.0.1/cb',
    'http://[::1]/cb',
  ])
    // oxlint-disable-next-line no-await-in-loop -- As above.
    expect(await led(bad), bad).toBe('/oauth/refused');
});

test('a sign-in takes the place of the one before, and stands in the export', async () => {
  const client = await registerClient(url);
  const tokens = async () => {
    const asked = await approvedCode({ url, account }, {}, client);
    return (await exchangeCode(url, asked)).body;
  };
  const first = await tokens();
  const count = (await newest()).length;
  const second = await tokens();
  expect((await newest()).length).toBe(count);
  expect((await mcp(url, String(first['access_token']), list)).status).toBe(401);
  expect((await mcp(url, String(second['access_token']), list)).status).toBe(200);
  const { body } = await account.as('GET', '/auth/export');
  expect(body['signIns']).toEqual(
    expect.arrayContaining([expect.objectContaining({ host: 'claude.ai', clientAuth: 'none' })]),
  );
  expect(JSON.stringify(body)).not.toContain('Hash');
  const revoked = await postForm(url, '/oauth/revoke', {
    token: String(second['refresh_token']),
    client_id: client.client_id,
  });
  expect(revoked).toMatchObject({ status: 200, body: {} });
  await expect.poll(async () => (await mcp(url, String(second['access_token']), list)).status).toBe(401);
});

test('what a person chose holds: worlds, a user, an end', async () => {
  const pairing = await account.pair();
  const { address } = await prepareRequest(url);
  const browser = createBrowser(url);
  const code = codeOf(await browser.open(address));
  const answer = await browser.as(account, 'POST', '/oauth/request/approve', {
    code,
    scopes: [...assistantPresets[0].scopes],
    clientIds: [pairing.clientId],
    actingUserIds: { [pairing.clientId]: 'player-1' },
    monthlyLimit: 7,
    expiresAt: new Date(Date.now() + 60_000).toISOString(),
  });
  expect(answer.status).toBe(200);
  const { items } = (await account.as('GET', '/auth/audit-log')).body as {
    items: { event: string; detail: object }[];
  };
  expect(items[0]).toMatchObject({ event: 'assistant.approved', detail: { name: 'Claude (claude.ai)' } });
});

test('what programs call reads no cookie, and answers any origin without credentials', async () => {
  for (const [method, path] of [
    ['GET', '/.well-known/oauth-protected-resource'],
    ['GET', '/.well-known/oauth-protected-resource/mcp'],
    ['GET', '/.well-known/oauth-authorization-server'],
    ['POST', '/oauth/register'],
    ['POST', '/oauth/token'],
    ['POST', '/oauth/revoke'],
    ['POST', '/mcp'],
  ] as const) {
    const headers = { origin: 'https://app.example', cookie: `trs=${account.sessionToken}` };
    // oxlint-disable-next-line no-await-in-loop -- One after the other.
    const answer = await fetch(url + path, { method, headers });
    expect(answer.headers.get('access-control-allow-origin'), path).toBe('*');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    expect(answer.headers.getSetCookie()).toEqual([]);
    // oxlint-disable-next-line no-await-in-loop -- As above.
    const preflight = await fetch(url + path, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type',
      },
    });
    expect(preflight.status, path).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization');
  }
  const authorize = await fetch((await prepareRequest(url)).address, {
    redirect: 'manual',
    headers: { origin: 'https://app.example' },
  });
  expect(authorize.headers.get('access-control-allow-origin')).toBeNull();
});

test('over plain http on other hosts nobody signs in, and /mcp takes keys', async () => {
  const plain = await startInstances({
    databaseUrl: cluster.databaseUrl,
    config: { publicUrl: 'http://relay.example' },
  });
  const [{ url: at }] = plain.instances;
  for (const path of ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-authorization-server'])
    // oxlint-disable-next-line no-await-in-loop -- One after the other.
    expect(await call(at, 'GET', path)).toMatchObject({ status: 404, body: { error: 'not_offered' } });
  expect((await call(at, 'POST', '/oauth/register', { body: { redirect_uris: [callback] } })).status).toBe(
    404,
  );
  for (const path of ['/oauth/token', '/oauth/revoke'])
    // oxlint-disable-next-line no-await-in-loop -- As above.
    expect(await postForm(at, path, { token: 'x', grant_type: 'refresh_token' })).toMatchObject({
      status: 404,
      body: { error: 'not_offered' },
    });
  const { address } = await prepareRequest(at);
  expect((await createBrowser(at).open(address)).search).toBe('?why=not_offered');
  const first = await fetch(`${at}/mcp`, { method: 'POST' });
  expect(first.headers.get('www-authenticate')).toBe('Bearer');
  const { body } = await exchangeCode(url, await approvedCode({ url, account }));
  expect((await mcp(url, String(body['access_token']), list)).status).toBe(200);
  expect((await mcp(at, String(body['access_token']), list)).status).toBe(401);
  expect((await mcp(at, await account.createKey(), list)).status).toBe(200);
  const program = new TestProgram();
  await expect(connect(at, program)).rejects.toThrow(/./);
  expect(program.ledTo).toBeUndefined();
  await plain.stop();
});

test('an access token that has ended is known: it counts against nobody, and the unknown do', async () => {
  const client = await registerClient(url);
  const asked = await approvedCode({ url, account }, {}, client);
  const { body } = await exchangeCode(url, asked);
  const access = String(body['access_token']);
  await cluster.db
    .updateTable('oauthTokens')
    .set({ endsAt: new Date(Date.now() - 1_000) })
    .execute();
  for (let time = 0; time < 40; time++) {
    // oxlint-disable-next-line no-await-in-loop -- One after the other.
    const refused = await mcp(url, access, list);
    expect(refused).toMatchObject({ status: 401, body: { code: 'key_expired' } });
  }
  const unknown = 'trf_' + 'a'.repeat(38);
  const statuses = [];
  // oxlint-disable-next-line no-await-in-loop -- One after the other.
  for (let time = 0; time < 8; time++) statuses.push((await refresh(url, client.client_id, unknown)).status);
  expect(statuses.slice(0, 1)).toEqual([400]);
  expect(statuses.at(-1)).toBe(429);
});
