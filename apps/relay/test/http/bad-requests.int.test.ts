import { operations } from '@tabletop-relay/contract';
import type { FakeModule } from '@tabletop-relay/testing';
import { hash } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSecret } from '../../src/credentials/secret.ts';
import { connectModule, createAccount } from '../account.ts';
import type { Pairing, TestAccount } from '../account.ts';
import { createBystander } from '../bystander.ts';
import type { Bystander } from '../bystander.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { expectProblem, send } from '../problem.ts';
import type { Expected } from '../problem.ts';

const maxBodyBytes = 20_000;

let cluster: TestInstances;
let url: string;
let account: TestAccount;
let key: string;
let pairing: Pairing;
let module: FakeModule;
let bystander: Bystander;

beforeAll(async () => {
  cluster = await startInstances({ config: { maxBodyBytes } });
  url = cluster.instances[0].url;
  account = await createAccount(url);
  key = await account.createKey();
  pairing = await account.pair();
  module = await connectModule(url, pairing, () => ({ data: {} }));
  bystander = await createBystander(url);
});
afterAll(async () => {
  await bystander.close();
  await module.close();
  await cluster.stop();
});
beforeEach(() => bystander.begin());
afterEach(() => bystander.expectUnharmed());

const json = { 'content-type': 'application/json' };
const good = { actorUuid: 'Actor.a', skill: 'prc' };

interface Call {
  query?: string;
  body?: string | object;
  headers?: Record<string, string>;
}

/** `POST /sys5e/skill-check`, right but for what is given. */
function skillCheck({ query = `clientId=${pairing.clientId}`, body = good, headers = {} }: Call = {}) {
  return send('POST', `${url}/sys5e/skill-check?${query}`, {
    headers: { ...json, 'x-api-key': key, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

const fieldsOf = (body: Record<string, unknown>) =>
  (body['errors'] as { field: string; place?: string; message: string }[]).map(({ field }) => field).sort();

describe('a body', () => {
  const rows: [name: string, body: string, fields: string[]][] = [
    ['that is not JSON', '{"actorUuid":', ['body']],
    ['that is no text', '\u0000\u0001', ['body']],
    ['that is an array', '[{"actorUuid":"Actor.a","skill":"prc"}]', ['actorUuid', 'body', 'skill']],
    ['that is a string', '"Actor.a"', ['actorUuid', 'body', 'skill']],
    ['that is a number', '17', ['actorUuid', 'body', 'skill']],
    ['that is null', 'null', ['actorUuid', 'body', 'skill']],
    ['that is empty', '', ['actorUuid', 'skill']],
    ['with wrong types', '{"actorUuid":5,"skill":["prc"],"advantage":"true"}', ['actorUuid', 'advantage', 'skill']],
    ['with an unknown enum value', '{"actorUuid":"Actor.a","skill":"cooking"}', ['skill']],
    ['with an unknown parameter', '{"actorUuid":"Actor.a","skill":"prc","mood":1}', ['mood']],
    ['with __proto__', '{"actorUuid":"Actor.a","skill":"prc","__proto__":{"advantage":true}}', ['body']],
    ['with constructor.prototype', '{"actorUuid":"Actor.a","skill":"prc","constructor":{"prototype":{}}}', ['body']],
    ['with a parameter that all objects have', '{"actorUuid":"Actor.a","skill":"prc","toString":"x"}', ['toString']],
    ['with text that is too long', JSON.stringify({ ...good, bonus: 'x'.repeat(257) }), ['bonus']],
    ['with text that is empty', '{"actorUuid":"","skill":"prc"}', ['actorUuid']],
  ]; // prettier-ignore

  it.each(rows)('%s is refused and names each field', async (_name, body, fields) => {
    const answer = await skillCheck({ body });
    expectProblem(cluster, answer, { code: 'invalid_request', retryable: false, outcome: 'not_sent' });
    expect(fieldsOf(answer.body)).toEqual(fields);
    for (const field of fields) expect(answer.body['detail']).toContain(field);
  });

  it('above the limit is refused, declared or not', async () => {
    const body = JSON.stringify({ ...good, bonus: 'x'.repeat(maxBodyBytes) });
    const expected: Expected = { code: 'payload_too_large', outcome: 'not_sent' };
    expectProblem(cluster, await skillCheck({ body }), expected);
    const streamed = await fetch(`${url}/sys5e/skill-check?clientId=${pairing.clientId}`, {
      method: 'POST',
      headers: { ...json, 'x-api-key': key },
      body: new Blob([body]).stream(),
      duplex: 'half',
    } as RequestInit);
    const answer = {
      status: streamed.status,
      headers: Object.fromEntries(streamed.headers),
      body: (await streamed.json()) as Record<string, unknown>,
    };
    expectProblem(cluster, answer, expected);
  });

  it.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data', 'x'])(
    'of type %s is refused',
    async (type) => {
      const answer = await skillCheck({ headers: { 'content-type': type } });
      expectProblem(cluster, answer, { code: 'unsupported_media_type', outcome: 'not_sent' });
    },
  );

  it('that ends before its declared length harms nobody and is no fault of ours', async () => {
    const before = cluster.logs.length;
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(
      `POST /sys5e/skill-check?clientId=${pairing.clientId} HTTP/1.1\r\nHost: 127.0.0.1\r\nx-api-key: ${key}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"actor',
    );
    await expect.poll(() => socket.bytesWritten).toBeGreaterThan(100);
    await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    await skillCheck();
    expect(cluster.logs.slice(before).filter((line) => Number(line['level']) >= 50)).toEqual([]);
  });

  it.each([
    ['is no HTTP', 'HELLO\r\n\r\n', /not HTTP/],
    [
      'has headers above 16 KiB',
      `GET /clients HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
      /16 KiB/,
    ],
    [
      'has a length that is no number',
      'POST /clients HTTP/1.1\r\nhost: x\r\ncontent-length: x\r\n\r\n',
      /HTTP/,
    ],
  ])('of a request that %s gets a problem document, and one line is logged', async (_name, bytes, detail) => {
    const before = cluster.logs.length;
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(bytes);
    const answer = (await socket.setEncoding('latin1').toArray()).join('');
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toContain('content-type: application/problem+json');
    const problem = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as Record<string, unknown>;
    expect(problem).toMatchObject({ code: 'invalid_request', status: 400, retryable: false });
    expect(problem['detail']).toMatch(detail);
    expect(problem['type']).toMatch(/\/errors\/invalid_request$/);
    expect(cluster.logs.slice(before)).toEqual([
      expect.objectContaining({ msg: 'request refused', traceId: problem['traceId'], status: 400 }),
    ]);
  });

  it('of bytes behind a call that is under way is not answered in its place', async () => {
    const silent = await account.pair();
    const module = await connectModule(url, silent);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(
      `GET /players?clientId=${silent.clientId} HTTP/1.1\r\nHost: 127.0.0.1\r\nx-api-key: ${key}\r\n\r\n`,
    );
    await module.next('players');
    socket.write('HELLO\r\n\r\n');
    expect((await socket.setEncoding('latin1').toArray()).join('')).toBe('');
    await module.next('cancel');
    await module.close();
  });

  it.each([
    ['h2c', '/livez', 200],
    ['websocket', '/livez', 200],
    ['websocket', '/clients', 401],
  ])('that asks for %s at %s is answered as if it had not', async (protocol, path, status) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade, close\r\nUpgrade: ${protocol}\r\n\r\n`,
    );
    expect((await socket.setEncoding('latin1').toArray()).join('')).toMatch(
      new RegExp(`^HTTP/1\\.1 ${status} `),
    );
  });

  it('that is absent is fine where nothing is needed, with and without its content type', async () => {
    const path = `${url}/next-turn?clientId=${pairing.clientId}`;
    for (const headers of [json, {}]) {
      const answer = await send('POST', path, { headers: { ...headers, 'x-api-key': key } });
      expect(answer.status).toBe(200);
    }
  });
});

describe('a query string', () => {
  it('with a parameter that belongs in the body is refused', async () => {
    const answer = await send('POST', `${url}/select?clientId=${pairing.clientId}&name=Mira`, {
      headers: { 'x-api-key': key },
    });
    expectProblem(cluster, answer, { code: 'invalid_request', outcome: 'not_sent', detail: /name .*body/ });
  });

  it('with unknown, unreadable and repeated parameters is refused and names each', async () => {
    const query = `clientId=${pairing.clientId}&details=%5Bnot&details2=x&actorUuid=a&actorUuid=b&__proto__=x`;
    const answer = await send('GET', `${url}/sys5e/get-actor-details?${query}`, {
      headers: { 'x-api-key': key },
    });
    expectProblem(cluster, answer, { code: 'invalid_request', outcome: 'not_sent' });
    expect(fieldsOf(answer.body)).toEqual(['__proto__', 'actorUuid', 'details', 'details2']);
  });

  it.each(['%', '%zz', '%ff', '%00'])('with %s is answered, and not by a fault', async (text) => {
    const answer = await send('GET', `${url}/players?clientId=${pairing.clientId}&userId=${text}`, {
      headers: { 'x-api-key': key },
    });
    expect([200, 400]).toContain(answer.status);
  });
});

describe('an address', () => {
  it('that is nowhere is 404', async () => {
    for (const path of ['/nothing', '/no-such-thing', '/sys5e', '/sys5e/skill-check/', '/a//b']) {
      const answer = await send('POST', url + path, { headers: { 'x-api-key': key } });
      expectProblem(cluster, answer, { code: 'not_found', retryable: false });
    }
    const long = await send('GET', `${url}/errors/${'x'.repeat(600)}`);
    expectProblem(cluster, long, { code: 'not_found', retryable: false });
  });

  it.each(['/%zz', '/errors/%ff', '/sys5e/%', '/players%'])(
    'that cannot be read, %s, is 400',
    async (path) => {
      const answer = await send('GET', url + path);
      expectProblem(cluster, answer, { code: 'invalid_request' });
    },
  );

  it('takes its method alone, and says which', async () => {
    for (const { path, method } of operations) {
      const right = operations.filter((operation) => operation.path === path).map((one) => one.method);
      const wrong = ['GET', 'POST', 'PUT', 'PATCH'].find((one) => !right.some((each) => each === one)) ?? '';
      const answer = await send(wrong, url + path, { headers: { 'x-api-key': key } });
      expectProblem(cluster, answer, { code: 'method_not_allowed' });
      expect(String(answer.headers['allow']).split(', ')).toContain(method);
      expect(String(answer.headers['allow']).split(', ')).not.toContain(wrong);
    }
  });

  it('is refused by a foreign Host while there is no PUBLIC_URL, whatever the path, and does not repeat it', async () => {
    for (const path of ['/api/status', '/clients', '/dashboard', '/nothing', '/docs']) {
      for (const host of ['evil.example', 'localhost.evil.example', 'localhost:evil']) {
        const answer = await send('GET', url + path, { headers: { host, 'x-api-key': key } });
        expectProblem(cluster, answer, { code: 'forbidden', type: /^\/errors\/forbidden$/ });
      }
    }
    const unreadable = await send('GET', `${url}/%zz`, { headers: { host: 'evil.example' } });
    expectProblem(cluster, unreadable, { code: 'invalid_request', type: /^\/errors\/invalid_request$/ });
  });

  it.each(['localhost:1', 'LOCALHOST:1', 'LocalHost', '127.0.0.1:1', '[::1]:1'])(
    'is answered by the loopback Host %s',
    async (host) => {
      expect((await send('GET', `${url}/api/status`, { headers: { host } })).status).toBe(200);
      const { body } = await send('GET', `${url}/nothing`, { headers: { host } });
      expect(body['type']).toBe(`http://${host.toLowerCase()}/errors/not_found`);
    },
  );

  it('answers any Host where PUBLIC_URL says who we are, and problems name that address', async () => {
    const published = await startInstances({
      databaseUrl: cluster.databaseUrl,
      config: { publicUrl: 'https://relay.example' },
    });
    try {
      const answer = await send('GET', `${published.instances[0].url}/nothing`, {
        headers: { host: 'inner.example' },
      });
      expect(answer.body).toMatchObject({ type: 'https://relay.example/errors/not_found' });
    } finally {
      await published.stop();
    }
  });
});

describe('a key', () => {
  it('that is missing, malformed, unknown, of another kind or expired says so', async () => {
    const commands = module.count('skill-check');
    const expired = await account.createKey();
    await cluster.db
      .updateTable('apiKeys')
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where('hash', '=', hash('sha256', expired, 'buffer'))
      .execute();
    const rows: [Expected['code'], string | undefined][] = [
      ['key_missing', undefined],
      ['key_missing', ''],
      ['key_invalid', 'secret'],
      ['key_invalid', `${key}x`],
      ['key_invalid', createSecret('scopedKey').value],
      ['key_invalid', pairing.token],
      ['key_invalid', account.sessionToken],
      ['key_expired', expired],
    ];
    for (const [code, value] of rows) {
      const answer = await send('POST', `${url}/sys5e/skill-check?clientId=${pairing.clientId}`, {
        headers: { ...json, ...(value === undefined ? {} : { 'x-api-key': value }) },
        body: JSON.stringify(good),
      });
      expectProblem(cluster, answer, { code, outcome: 'not_sent', retryable: false });
    }
    expect(module.count('skill-check')).toBe(commands);
  });

  it('without the scope is refused before its parameters are looked at, for every operation', async () => {
    for (const operation of operations) {
      const others = operations.map(({ scope }) => scope).filter((scope) => scope !== operation.scope);
      const weak = await account.createKey({ scopes: [...new Set(others)] });
      const answer = await send(operation.method, `${url}${operation.path}?clientId=${pairing.clientId}`, {
        headers: { 'x-api-key': weak },
      });
      expectProblem(cluster, answer, {
        code: 'scope_missing',
        scope: operation.scope,
        outcome: 'not_sent',
        detail: new RegExp(operation.scope),
      });
    }
  });
});

describe('a world', () => {
  const named = (clientId: string, apiKey = key) =>
    skillCheck({ query: `clientId=${clientId}`, headers: { 'x-api-key': apiKey } });

  it('that is unknown, another account’s or outside the key’s restriction is the same 404', async () => {
    const stranger = await createAccount(url);
    const theirs = await stranger.pair();
    const theirModule = await connectModule(url, theirs);
    const mine = await account.pair();
    const bound = await account.createKey({ clientIds: [mine.clientId] });
    const answers = [
      [await named('nobodys-world'), 'nobodys-world'],
      [await named('%00'), '\0'],
      [await named(theirs.clientId), theirs.clientId],
      [await named(pairing.clientId, bound), pairing.clientId],
    ] as const;
    for (const [answer, clientId] of answers) {
      expectProblem(cluster, answer, { code: 'client_not_found', outcome: 'not_sent' });
      expect(String(answer.body['detail'])).toBe(`No world ${clientId} that this key may reach.`);
      expect(Object.keys(answer.body)).toEqual(Object.keys(answers[0][0].body));
    }
    expect(theirModule.count('skill-check')).toBe(0);
    await theirModule.close();
  });

  it('that is offline is 404 with the time when it was last seen, 0 for never', async () => {
    const never = await account.pair();
    expectProblem(cluster, await named(never.clientId), {
      code: 'client_offline',
      outcome: 'not_sent',
      lastSeen: 0,
    });
    const since = Date.now();
    await (await connectModule(url, never)).close();
    await expect.poll(async () => (await named(never.clientId)).body['lastSeen']).toBeGreaterThan(since - 1);
    expect((await named(never.clientId)).body['lastSeen']).toBeLessThanOrEqual(Date.now());
  });

  it('is named in the query, the body or a header, and two that differ are refused', async () => {
    const { clientId } = pairing;
    const ok: Call[] = [
      { query: `clientId=${clientId}` },
      { query: '', body: { ...good, clientId } },
      { query: '', headers: { 'x-client-id': clientId } },
      { body: { ...good, clientId }, headers: { 'x-client-id': clientId } },
    ];
    for (const each of ok) expect((await skillCheck(each)).status).toBe(200);
    const differing: Call[] = [
      { body: { ...good, clientId: 'other' } },
      { headers: { 'x-client-id': 'other' } },
      { query: '', body: { ...good, clientId }, headers: { 'x-client-id': 'other' } },
      { query: `clientId=${clientId}&clientId=${clientId}` },
      { query: 'clientId=' },
      { query: '', body: { ...good, clientId: 7 } },
      { query: '', body: { ...good, clientId: null } },
    ];
    for (const each of differing) {
      const answer = await skillCheck(each);
      expectProblem(cluster, answer, { code: 'invalid_request', outcome: 'not_sent', detail: /clientId/ });
      expect(fieldsOf(answer.body)).toEqual(['clientId']);
    }
  });

  it('need not be named by a key that is bound to one or may see one that is online; else the candidates are told', async () => {
    const own = await createAccount(url);
    const ownKey = await own.createKey();
    const ask = (apiKey: string) => skillCheck({ query: '', headers: { 'x-api-key': apiKey } });
    expectProblem(cluster, await ask(ownKey), {
      code: 'client_required',
      outcome: 'not_sent',
      candidates: [],
    });

    const [first, second] = [await own.pair(), await own.pair()];
    const one = await connectModule(url, first, () => ({ world: 1 }));
    expect((await ask(ownKey)).body).toMatchObject({ world: 1 });
    const two = await connectModule(url, second, () => ({ world: 2 }));
    const answer = await ask(ownKey);
    expectProblem(cluster, answer, { code: 'client_required', outcome: 'not_sent' });
    expect((answer.body['candidates'] as string[]).sort()).toEqual([first.clientId, second.clientId].sort());

    const bound = await own.createKey({ clientIds: [second.clientId] });
    expect((await ask(bound)).body).toMatchObject({ world: 2 });
    await two.close();
    expectProblem(cluster, await ask(bound), { code: 'client_offline', outcome: 'not_sent' });
    expect((await ask(ownKey)).body).toMatchObject({ world: 1 });
    await one.close();
  });

  it('by an id that no world can have is not active, and that is no trouble of ours', async () => {
    for (const id of ['%00', 'x'.repeat(600), '%F0%9F%98%80', "'--"]) {
      const answer = await send('GET', `${url}/api/clients/${id}/active`);
      expect([400, 404]).toContain(answer.status);
    }
  });
});

describe('a page of another origin', () => {
  const preflight = (path: string, method: string) =>
    send('OPTIONS', url + path, {
      headers: {
        origin: 'https://table.example',
        'access-control-request-method': method,
        'access-control-request-headers': 'content-type,x-api-key',
      },
    });
  const open: [string, string][] = [
    ...operations.map(({ path, method }): [string, string] => [path, method]),
    ['/clients', 'GET'],
    ['/api/health', 'GET'],
    ['/api/status', 'GET'],
    ['/livez', 'GET'],
    ['/readyz', 'GET'],
    ['/api/clients/x/active', 'GET'],
    ['/auth/pair', 'POST'],
    ['/auth/key-request', 'POST'],
    ['/auth/key-request/x/status', 'GET'],
    ['/auth/key-request/exchange', 'POST'],
    ['/openapi.json', 'GET'],
  ];

  it.each(open)('may call %s', async (path, method) => {
    const answer = await preflight(path, method);
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': '*' });
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
    expect(String(answer.headers['access-control-allow-methods'])).toContain(method);
    expect(String(answer.headers['access-control-allow-headers'])).toContain('x-api-key');
    const refused = await send(method, url + path, { headers: { origin: 'https://table.example' } });
    expect(refused.headers['access-control-allow-origin']).toBe('*');
    expect(String(refused.headers['access-control-expose-headers'])).toContain('x-request-id');
  });

  it.each([
    ['/auth/login', 'POST'],
    ['/auth/register', 'POST'],
    ['/auth/account', 'GET'],
    ['/auth/api-keys', 'POST'],
    ['/auth/pairing-codes', 'POST'],
    ['/admin/accounts', 'GET'],
  ])('may not call %s', async (path, method) => {
    const answer = await preflight(path, method);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    const called = await send(method, url + path, { headers: { origin: 'https://table.example' } });
    expect(called.headers).not.toHaveProperty('access-control-allow-origin');
  });
});
