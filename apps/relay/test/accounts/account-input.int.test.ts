// oxlint-disable max-lines -- It is a list of short cases on one relay.
import { pino } from 'pino';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogMail } from '@tabletop-relay/notifications';
import { call, createAccount } from '@tabletop-relay/testing/scenes';
import type { Answer, TestAccount } from '@tabletop-relay/testing/scenes';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let url: string;
let account: TestAccount;

beforeAll(async () => {
  cluster = await startInstances({
    config: {
      limitUnknownKeys: '2 per 1 min',
      limitKeyRequestStatus: '1 per 1 min',
      maxAccountBodyBytes: 1_048_576,
    },
  });
  url = cluster.instances[0].url;
  account = await createAccount(url);
});
afterAll(() => cluster.stop());

const fieldsOf = ({ body }: Answer) => (body['errors'] as { field: string }[]).map(({ field }) => field);
const askForKey = (body: object) => call(url, 'POST', '/auth/key-request', { body });
const repeat = (value: unknown, count: number) => Array.from({ length: count }, () => value);
const asking = { appName: 'Bot', scopes: ['clients:read'] };
const invalid = (field: string) => ({
  status: 400,
  body: { code: 'invalid_request', errors: [expect.objectContaining({ field })] },
});

describe('a body of many faults', () => {
  const unknown = (count: number, name: (index: number) => string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), 1]));

  it.each([
    ['a million wrong elements', { appName: 'Bot', scopes: repeat(1, 500_000) }, ['scopes']],
    ['900 wrong elements', { appName: 'Bot', scopes: repeat(1, 900) }, ['scopes', 'scopes.0']],
    ['a list as its body', repeat(1, 500_000), ['body']],
    ['90,000 unknown fields', { ...asking, ...unknown(90_000, String) }, ['body']],
    ['a text of a million characters', { ...asking, appUrl: 't'.repeat(1_000_000) }, ['appUrl']],
  ])('with %s gets a short answer', async (_name, body, fields) => {
    const text = JSON.stringify(body);
    const answer = await request(`${url}/auth/key-request`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: text,
    });
    const problem = await answer.body.text();
    expect(answer.statusCode).toBe(400);
    expect(problem.length).toBeLessThan(8000);
    expect(fieldsOf({ body: JSON.parse(problem) as Answer['body'] } as Answer)).toEqual(fields);
  });

  it('is told of twenty, by names that are cut', async () => {
    const answer = await askForKey({ ...asking, ...unknown(500, (index) => `${index}${'x'.repeat(1000)}`) });
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toHaveLength(20);
    expect(fieldsOf(answer)[0]).toBe(`0${'x'.repeat(63)}...`);
    expect(JSON.stringify(answer.body).length).toBeLessThan(20_000);
  });
});

describe('NUL', () => {
  const nul = 'a\0b';
  const email = 'a\0b@example.org';
  const password = 'correct horse battery';

  it.each<[method: string, path: string, body: object, field: string]>([
    ['POST', '/auth/register', { email, password }, 'email'],
    ['POST', '/auth/login', { email, password }, 'email'],
    ['POST', '/auth/regenerate-key', { email, password }, 'email'],
    ['POST', '/auth/forgot-password', { email }, 'email'],
    ['POST', '/auth/key-request', { ...asking, appName: nul }, 'appName'],
    ['POST', '/auth/key-request', { ...asking, appDescription: nul }, 'appDescription'],
    ['POST', '/auth/key-request', { ...asking, callbackUrl: `https://bot.example/${nul}` }, 'callbackUrl'],
    ['POST', '/auth/api-keys', { name: nul, scopes: ['clients:read'] }, 'name'],
    ['POST', '/auth/api-keys', { name: 'x', scopes: ['clients:read'], clientIds: [nul] }, 'clientIds.0'],
    ['PATCH', '/auth/api-keys/x', { name: nul }, 'name'],
    ['POST', '/auth/pairing-codes', { clientId: nul }, 'clientId'],
    ['PATCH', '/auth/connection-tokens/x', { name: nul }, 'name'],
    ['PATCH', '/auth/known-clients/x', { customName: nul }, 'customName'],
  ])('in the body of %s %s %j is refused, naming the field', async (method, path, body, field) => {
    expect(await account.as(method, path, body)).toMatchObject(invalid(field));
  });

  it.each([
    ['/auth/sessions?cursor=%00', 'cursor'],
    ['/auth/api-keys?cursor=%00', 'cursor'],
    ['/auth/connection-tokens?cursor=%00', 'cursor'],
    ['/auth/known-clients?cursor=%00', 'cursor'],
    ['/auth/connection-logs?client=%00', 'client'],
    ['/auth/audit-log?outcome=%00', 'outcome'],
    ['/auth/audit-log?cursor=a%00b', 'cursor'],
  ])('in the query of %s is refused, naming the field', async (path, field) => {
    expect(await account.as('GET', path)).toMatchObject(invalid(field));
  });

  it.each<[method: string, path: string, body?: object]>([
    ['DELETE', '/auth/sessions/%00', { password: 'vexed otter piano 4471' }],
    ['DELETE', '/auth/api-keys/%00'],
    ['DELETE', '/auth/connection-tokens/%00'],
    ['DELETE', '/auth/known-clients/%00'],
    ['GET', '/auth/key-request/%00'],
    ['GET', '/auth/key-request/%00/status'],
    ['POST', '/auth/key-request/%00/deny'],
  ])('in the address of %s %s is 404', async (method, path, body) => {
    expect(await account.as(method, path, body)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

it.each<[method: string, path: string, body: object | undefined, field: string]>([
  ['GET', '/auth/audit-log?since=2016-12-31T23:59:60Z', undefined, 'since'],
  ['GET', '/auth/connection-logs?until=2016-12-31T23:59:60Z', undefined, 'until'],
  ['POST', '/auth/api-keys', { name: 'x', scopes: ['clients:read'], expiresAt: '2027-06-30T23:59:60Z' }, 'expiresAt'],
  ['POST', '/auth/key-request/x/approve', { expiresAt: '2027-06-30T23:59:60Z' }, 'expiresAt'],
  ['POST', '/auth/api-keys', { name: 'x', scopes: ['clients:read'], expiresAt: '9999-12-31T23:59:59-01:00' }, 'expiresAt'],
  ['GET', '/auth/audit-log?until=9999-12-31T23:59:59-01:00', undefined, 'until'],
  ['GET', '/auth/sessions?limit=1e999', undefined, 'limit'],
])('a leap second, the year 10000 and an endless number are refused by %s %s %j, naming %s', async (method, path, body, field) => {
  const answer = await account.as(method, path, body);
  expect(answer.status).toBe(400);
  expect(new Set(fieldsOf(answer))).toEqual(new Set([field]));
}); // prettier-ignore

describe('HEAD', () => {
  it('of an approved key request collects nothing', async () => {
    const code = String((await askForKey(asking)).body['code']);
    await account.as('POST', `/auth/key-request/${code}/approve`, {});
    const address = `/auth/key-request/${code}/status`;
    expect((await call(url, 'HEAD', address)).status).toBe(405);
    expect((await call(url, 'GET', address)).body).toHaveProperty('apiKey');
  });

  it('of the events holds no stream', async () => {
    expect((await account.as('HEAD', '/auth/events')).status).toBe(405);
  });
});

describe('the events', () => {
  const follow = (accept: string) =>
    request(`${url}/auth/events`, { headers: { authorization: `Bearer ${account.sessionToken}`, accept } });

  it('are refused with a problem document to who cannot read them', async () => {
    const answer = await follow('application/json');
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(await answer.body.json()).toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'accept' }],
    });
  });

  it('are refused to one stream too many, with the limit', async () => {
    const streams = await Promise.all(Array.from({ length: 20 }, () => follow('*/*')));
    expect(streams.map(({ statusCode }) => statusCode)).toEqual(repeat(200, 20));
    const answer = await follow('text/event-stream');
    expect(answer.statusCode).toBe(429);
    expect(answer.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-limit': '20',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '1',
    });
    for (const { body } of [...streams, answer]) body.on('error', () => {}).destroy();
  });
});

it('an address that tries too many unknown keys is told its limit', async () => {
  const key = await account.createKey();
  const { body } = await account.as('GET', '/auth/api-keys?limit=1');
  await account.as('DELETE', `/auth/api-keys/${(body['items'] as { id: string }[])[0]?.id}`);
  const list = () => call(url, 'GET', '/clients', { headers: { 'x-api-key': key } });
  await expect.poll(async () => (await list()).status).toBe(429);
  const { headers } = await list();
  expect(headers.get('ratelimit-limit')).toBe('2');
  expect(headers.get('ratelimit-remaining')).toBe('0');
  expect(headers.get('ratelimit-reset')).toBe(headers.get('retry-after'));
});

it('one code is polled at one pace, however it is written', async () => {
  const code = String((await askForKey(asking)).body['code']);
  const statuses: number[] = [];
  for (const written of [code, `${code}%20`, `%20${code}`, code.toLowerCase()]) {
    statuses.push((await call(url, 'GET', `/auth/key-request/${written}/status`)).status);
  }
  expect(statuses).toEqual([200, 429, 429, 429]);
});

it.each(['/livez', '/clients', '/auth/account'])('QUERY of %s is no fault of ours', async (path) => {
  const answer = await request(url + path, { method: 'QUERY' as 'GET' });
  expect(answer.statusCode).toBeGreaterThanOrEqual(400);
  expect(answer.statusCode).toBeLessThan(500);
  expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
  await answer.body.dump();
});

describe('what a module says when it pairs', () => {
  const pair = async (more: object) => {
    const made = await account.as('POST', '/auth/pairing-codes', {});
    const body = { code: made.body['code'], worldId: 'w', ...more };
    return await call(url, 'POST', '/auth/pair', { body });
  };

  it.each([
    ['null', null, ''],
    ['a number', 13, '13'],
    ['a boolean', true, 'true'],
    ['an object', { a: 1 }, ''],
    ['text with NUL', 'a\0b', 'ab'],
  ])('may be %s', async (_name, value, kept) => {
    const names = ['worldTitle', 'tabletopVersion', 'systemId', 'systemTitle', 'systemVersion', 'customName'];
    const odd = Object.fromEntries(
      [...names, 'existingClientId', 'serverFingerprint'].map((name) => [name, value]),
    );
    const paired = await pair({ ...odd, worldId: `world of ${_name}`, users: repeat('x', 2000) });
    expect(paired.status).toBe(200);
    const { body } = await account.as('GET', '/auth/known-clients?limit=200');
    const client = (body['items'] as Record<string, unknown>[]).find(
      ({ clientId }) => clientId === paired.body['clientId'],
    );
    expect(client).toMatchObject(Object.fromEntries(names.map((name) => [name, kept])));
  });
});

it('without a mail server the embedded default shows its mails where only warnings are logged', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  await createLogMail(log)({ to: 'a@example.org', subject: 'Reset', text: 'https://relay/#trr_x' });
  expect(lines.join()).toContain('https://relay/#trr_x');
});

it('an instance registers accounts by itself while registration is closed', async () => {
  const closed = await startInstances({
    databaseUrl: cluster.databaseUrl,
    config: { registration: 'closed' },
  });
  try {
    const [{ relay, url: at }] = closed.instances;
    const credentials = { email: 'own@localhost', password: 'correct horse battery' };
    expect((await call(at, 'POST', '/auth/register', { body: credentials })).status).toBe(403);
    const headers = { authorization: `Bearer ${await relay.register(credentials)}` };
    expect((await call(at, 'GET', '/auth/account', { headers })).body).toMatchObject({
      email: 'own@localhost',
    });
  } finally {
    await closed.stop();
  }
});
