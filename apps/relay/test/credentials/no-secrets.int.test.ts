// oxlint-disable max-lines -- It is one story, a whole life whose traces are searched at the end.
import { startRedis, waitFor } from '@tabletop-relay/testing';
import type { TestRedis } from '@tabletop-relay/testing';
import { codeOf, connectModule } from '@tabletop-relay/testing/scenes';
import { Redis } from 'ioredis';
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MailMessage } from '@tabletop-relay/notifications';
import { keepResets } from '../keep-resets.ts';
import { createSecret } from '../../src/credentials/secret.ts';
import { dumpDatabase } from '../dump-database.ts';
import { startInstances } from '../instances.ts';
import type { TestInstance, TestInstances } from '../instances.ts';
import { send } from '../problem.ts';

/** Every secret and code of the run, by what it is. */
const secrets = new Map<string, string>();
/** Where they could have been left, as one text each. */
const traces = new Map<string, string>();

const mails: MailMessage[] = [];
const keys = new Set<string>();
const commands: string[] = [];
const responseHeaders: string[] = [];

let redis: TestRedis;
let cluster: TestInstances;
let first: TestInstance;
let second: TestInstance;

beforeAll(async () => {
  redis = await startRedis();
  const watcher = new Redis(redis.url);
  const monitor = await watcher.monitor();
  monitor.on('monitor', (_time: string, args: string[]) => commands.push(args.join(' ')));
  cluster = await startInstances({
    count: 2,
    redis: [redis.url],
    // The limits count by address and by code: their keys in Redis are looked at as well.
    config: { callsPerMinute: 1000, limitKeyRequestStatus: '1000 per 1 min' },
    sendMail: keepResets(mails),
  });
  [first, second] = cluster.instances as [TestInstance, TestInstance];
  await live();
  for (const { registry } of [first, second]) keep('metrics', await registry.metrics());
  await readRedis(watcher);
  monitor.disconnect();
  watcher.disconnect();
  await Promise.all([first.stop(), second.stop()]);
  keep('logs', JSON.stringify(cluster.logs));
  keep('headers', responseHeaders.join('\n'));
  keep('database', await dumpDatabase(cluster.ownerUrl));
}, 120_000);

afterAll(async () => {
  await cluster.stop();
  await redis.stop();
});

describe('after a whole life over two instances', () => {
  it('there are secrets and codes of all kinds to search for', () => {
    expect(new Set(secrets.values()).size).toBe(38);
  });

  it.each([
    ['logs', '/auth/key-request/:code/status'],
    ['metrics', 'relay_calls_total{operation="players"'],
    ['headers', 'x-request-id'],
    ['redis keys and channels', 'r:live:'],
    ['redis commands', 'publish'],
    ['database', 'key_request.collected'],
  ])('none of them stands in the %s', (place, shown) => {
    const text = traces.get(place) ?? '';
    expect(text).toContain(shown);
    const found = [...secrets].filter(([, value]) => isIn(text, value)).map(([name]) => name);
    expect(found).toEqual([]);
  });
});

/** In any spelling that a log, a key or a column could give it. */
function isIn(text: string, secret: string): boolean {
  const bytes = Buffer.from(secret);
  const spellings = [
    secret,
    encodeURIComponent(secret),
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
  ];
  return spellings.some((spelling) => text.includes(spelling));
}

function keep(place: string, text: string): void {
  traces.set(place, `${traces.get(place) ?? ''}\n${text}`);
}

/** Remembers a secret of the run and gives it back. */
function secret(name: string, value: unknown): string {
  if (typeof value !== 'string') throw new Error(`there is no ${name}`);
  secrets.set(name, value);
  return value;
}

async function ask(
  at: TestInstance,
  line: string,
  options: { body?: object; bearer?: string; key?: string; headers?: Record<string, string> } = {},
) {
  const [method = '', path = ''] = line.split(' ');
  const { body, bearer, key, headers } = options;
  const answer = await send(method, at.url + path, {
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(key && { 'x-api-key': key }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  // The cookie is how a session reaches its browser.
  const shown = Object.entries(answer.headers).filter(([name]) => name !== 'set-cookie');
  responseHeaders.push(JSON.stringify(shown));
  return answer;
}

async function live(): Promise<void> {
  const email = 'gm@example.org';
  const password = secret('password', 'plum kettle 4471 orbit');
  const registered = await ask(first, 'POST /auth/register', { body: { email, password } });
  secret('first session', registered.body['sessionToken']);
  const oldMasterKey = secret('first master key', registered.body['masterKey']);
  const login = await ask(second, 'POST /auth/login', { body: { email, password } });
  const bearer = secret('session', login.body['sessionToken']);

  await useKeys(bearer, oldMasterKey);
  await askForKeys(bearer);
  await fail(email);
  const reset = await resetPassword(email);
  const rotated = await ask(second, 'POST /auth/regenerate-key', { body: { email, password: reset } });
  const masterKey = secret('master key', rotated.body['masterKey']);
  await useSecondFactor();
  expect((await ask(first, 'GET /clients', { key: masterKey })).status).toBe(200);
  expect((await ask(first, 'GET /clients', { key: oldMasterKey })).status).toBe(401);
}

/** Pairs a world, connects it and calls it from both instances, by every key there is. */
async function useKeys(bearer: string, masterKey: string): Promise<void> {
  const made = await ask(first, 'POST /auth/api-keys', {
    bearer,
    body: { name: 'bot', scopes: ['clients:read', 'user:read'] },
  });
  const key = secret('scoped key', made.body['apiKey']);
  const pairing = await ask(first, 'POST /auth/pairing-codes', { bearer, body: {} });
  const code = secret('pairing code', pairing.body['code']);
  const body = { code, worldId: 'w', worldTitle: 'A world', systemId: 'dnd5e' };
  const paired = await ask(second, 'POST /auth/pair', { body });
  const token = secret('connection token', paired.body['token']);
  const clientId = String(paired.body['clientId']);
  const adding = await ask(first, 'POST /auth/pairing-codes', { bearer, body: { clientId } });
  secret('add browser code', adding.body['code']);
  const module = await connectModule(second.url, { token, clientId }, () => ({ users: [] }));
  for (const at of [first, second]) {
    for (const apiKey of [key, masterKey]) {
      const answer = await ask(at, `GET /players?clientId=${clientId}`, { key: apiKey });
      expect(answer.status).toBe(200);
    }
  }
  expect((await ask(first, 'POST /auth/pair', { body })).status).toBe(410);
  expect((await ask(first, 'POST /api/self-unpair', { body: { token } })).status).toBe(200);
  await module.closed;
}

/** Both flows: a poll with its verifier, a callback with its exchange code. */
async function askForKeys(bearer: string): Promise<void> {
  const scopes = ['clients:read'];
  const verifier = secret('poll verifier', randomBytes(32).toString('base64url'));
  const pollChallenge = createHash('sha256').update(verifier).digest('base64url');
  const request = async (name: string, more: object) => {
    const { body } = await ask(first, 'POST /auth/key-request', {
      body: { appName: 'Bot', scopes, ...more },
    });
    return secret(name, body['code']);
  };
  const device = await request('key request code, device flow', { pollChallenge });
  const status = `GET /auth/key-request/${device}/status`;
  expect((await ask(second, status)).body).toEqual({ status: 'pending' });
  await ask(second, `GET /auth/key-request/${device}`, { bearer });
  await ask(second, `POST /auth/key-request/${device}/approve`, { bearer, body: {} });
  const wrong = secret('wrong poll verifier', randomBytes(32).toString('base64url'));
  await ask(second, status, { headers: { 'x-poll-verifier': wrong } });
  const collected = await ask(first, status, { headers: { 'x-poll-verifier': verifier } });
  secret('key of the device flow', collected.body['apiKey']);

  const web = await request('key request code, web flow', { callbackUrl: 'https://bot.example/done' });
  const approved = await ask(second, `POST /auth/key-request/${web}/approve`, { bearer, body: {} });
  const redirect = new URL(String(approved.body['redirectUrl']));
  const code = secret('exchange code', redirect.searchParams.get('code'));
  const exchanged = await ask(first, 'POST /auth/key-request/exchange', { body: { code } });
  secret('key of the web flow', exchanged.body['apiKey']);
  expect((await ask(second, 'POST /auth/key-request/exchange', { body: { code } })).status).toBe(410);
  const denied = await request('denied key request code', {});
  await ask(first, `POST /auth/key-request/${denied}/deny`, { bearer });
}

/** What is wrong is a secret as well: somebody's typing error, or a key of another service. */
async function fail(email: string): Promise<void> {
  const wrongPassword = secret('wrong password', 'plum kettle 4471 orbiT');
  await ask(first, 'POST /auth/login', { body: { email, password: wrongPassword } });
  await ask(second, 'POST /auth/regenerate-key', { body: { email, password: wrongPassword } });
  const refused = secret('refused password', 'shrt#7x');
  await ask(first, 'POST /auth/register', { body: { email: 'b@example.org', password: refused } });
  const unknownKey = secret('unknown key', createSecret('scopedKey').value);
  await ask(first, 'GET /clients', { key: unknownKey });
  const foreignKey = secret('key of another service', `sk_live_${randomBytes(16).toString('hex')}`);
  await ask(second, 'GET /clients', { key: foreignKey });
  await ask(second, 'GET /auth/account', { bearer: foreignKey });
  await ask(first, `GET /clients?apiKey=${secret('key in a query', createSecret('scopedKey').value)}`);
  await ask(first, 'POST /auth/pair', { body: { code: secret('wrong code', 'ZZZZ99'), worldId: 'w' } });
  const wrongLong = secret('wrong key request code', '0Z'.repeat(13));
  await ask(first, `GET /auth/key-request/${wrongLong}/status`);
  await ask(first, `GET /nowhere/${secret('code at an unknown address', '1Y'.repeat(13))}`);
  const exchangeCode = secret('wrong exchange code', '2X'.repeat(13));
  await ask(second, 'POST /auth/key-request/exchange', { body: { code: exchangeCode } });
  const resetToken = secret('unknown reset token', createSecret('passwordReset').value);
  await ask(second, 'POST /auth/reset-password', {
    body: { token: resetToken, password: 'vexed otter piano' },
  });
  const unknownToken = secret('unknown connection token', createSecret('connectionToken').value);
  await ask(first, 'POST /api/self-unpair', { body: { token: unknownToken } });
  await connectModule(first.url, { token: unknownToken, clientId: 'fvtt_0000000000000000' }).catch(() => {});
  const inAddress = secret('token in an address', createSecret('connectionToken').value);
  await ask(first, `GET /relay?id=x&token=${inAddress}`);
  const cut = `{"password":"${secret('password in a body that is no JSON', 'vexed otter 88 organ')}"`;
  const headers = { 'content-type': 'application/json' };
  await send('POST', `${first.url}/auth/login`, { headers, body: cut });
}

/** Sets an authenticator app up and signs in with one of the recovery codes. */
async function useSecondFactor(): Promise<void> {
  const email = 'c@example.org';
  const password = secret('password beside a factor', 'gravel 7731 mint sail');
  const registered = await ask(first, 'POST /auth/register', { body: { email, password } });
  const bearer = String(registered.body['sessionToken']);
  const begun = await ask(first, 'POST /auth/second-factors/totp', { bearer, body: { password } });
  const totp = secret('secret of an app', begun.body['secret']);
  const setup = secret('set-up of an app', begun.body['setup']);
  const done = await ask(second, 'POST /auth/second-factors/totp/confirm', {
    bearer,
    body: { setup, code: codeOf(totp) },
  });
  const [used, spare] = done.body['recoveryCodes'] as [string, string];
  const asked = await ask(first, 'POST /auth/login', { body: { email, password } });
  const challenge = secret('challenge', asked.body['challenge']);
  const secondFactor = { method: 'recovery', challenge, code: secret('used recovery code', used) };
  const login = await ask(second, 'POST /auth/login', { body: { email, password, secondFactor } });
  expect(login.status).toBe(200);
  secret('recovery code', spare);
}

async function resetPassword(email: string): Promise<string> {
  await ask(first, 'POST /auth/forgot-password', { body: { email } });
  await waitFor(() => mails.length > 0);
  const token = secret('reset token', /#(trr_\w+)/.exec(mails[0]?.text ?? '')?.[1]);
  const password = secret('new password', 'walnut 9932 ferry lamp');
  const answer = await ask(second, 'POST /auth/reset-password', { body: { token, password } });
  expect(answer.status).toBe(200);
  return password;
}

/** Names alone: keys that are there, and every key and channel that a command named. */
async function readRedis(watcher: Redis): Promise<void> {
  for await (const names of watcher.scanStream() as AsyncIterable<string[]>) {
    for (const name of names) keys.add(name);
  }
  const channels = (await watcher.pubsub('CHANNELS')) as string[];
  keep('redis keys and channels', [...keys, ...channels].join('\n'));
  // The values too: nothing that is sent through Redis has any need of a secret.
  keep('redis commands', commands.join('\n'));
}
