import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { send } from '../problem.ts';

let own: TestInstances;
let url: string;
let account: TestAccount;

beforeAll(async () => {
  own = await startInstances({ signInLinks: true });
  [{ url }] = own.instances;
  account = await createAccount(url);
});
afterAll(() => own.stop());

const path = '/auth/sign-in-link';
const make = async () => (await own.instances[0].relay.createSignInLink(account.email)) ?? '';
const use = (secret: unknown, headers: Record<string, string> = {}, to = url) =>
  send('POST', to + path, {
    headers: { 'content-type': 'application/json', origin: to, ...headers },
    body: JSON.stringify({ secret }),
  });

test('a link signs in once, in the browser of this machine, and the log says so', async () => {
  const secret = await make();
  const { status, headers, body } = await use(secret);
  expect([status, body]).toEqual([200, {}]);
  const cookie = String(headers['set-cookie']).split(';', 1)[0] ?? '';
  const me = await send('GET', `${url}/auth/account`, { headers: { cookie } });
  expect(me.body).toMatchObject({ email: account.email });
  expect(String(headers['set-cookie'])).toContain('HttpOnly');
  expect(await use(secret)).toMatchObject({ status: 401, body: { code: 'credentials_invalid' } });
  const audit = await account.as('GET', '/auth/audit-log');
  expect(JSON.stringify(audit.body)).toContain('session.started');
  expect(JSON.stringify([own.logs, audit.body])).not.toContain(secret);
});

test('fifty at once sign in one', async () => {
  const secret = await make();
  const answers = await Promise.all(Array.from({ length: 50 }, () => use(secret)));
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    200,
    ...Array<number>(49).fill(401),
  ]);
});

test.each([
  ['of a page of another site', { origin: 'https://evil.example' }, 403],
  ['by another name of this machine', { host: 'evil.example', origin: 'http://evil.example' }, 403],
] as const)('a request %s opens nothing, and uses nothing up', async (_who, headers, expected) => {
  const secret = await make();
  expect((await use(secret, headers)).status).toBe(expected);
  expect((await use(secret)).status).toBe(200);
});

test('somebody elsewhere opens nothing, though a proxy on this machine passes the request on', async () => {
  const proxied = await startInstances({
    databaseUrl: own.databaseUrl,
    signInLinks: true,
    config: { trustedProxies: ['127.0.0.1'] },
  });
  try {
    const [{ relay, url: to }] = proxied.instances;
    const secret = (await relay.createSignInLink(account.email)) ?? '';
    expect((await use(secret, { 'x-forwarded-for': '203.0.113.9' }, to)).status).toBe(401);
    expect((await use(secret, {}, to)).status).toBe(200);
  } finally {
    await proxied.stop();
  }
});

test.each(['', 'x', null, 1, 'x'.repeat(101)])('%j is no link', async (secret) => {
  expect([400, 401]).toContain((await use(secret)).status);
});

test('a relay that is not one person’s own has neither the links nor the address', async () => {
  const usual = await startInstances({ databaseUrl: own.databaseUrl });
  try {
    const [{ relay, url: to }] = usual.instances;
    expect(await relay.createSignInLink(account.email)).toBeUndefined();
    expect((await use('x', {}, to)).status).toBe(404);
  } finally {
    await usual.stop();
  }
  expect(await own.instances[0].relay.createSignInLink('nobody@example.org')).toBeUndefined();
});
