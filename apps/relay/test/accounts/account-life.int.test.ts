import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MailMessage } from '../../src/accounts/mail/mail.ts';
import { startPostgres } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '../account.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { makeAdministrator } from '../second-factor.ts';

const mails: MailMessage[] = [];
let cluster: TestInstances;
let url: string;

beforeAll(async () => {
  cluster = await startInstances({
    count: 2,
    sendMail: (message) => Promise.resolve(void mails.push(message)),
  });
  url = cluster.instances[0].url;
});
afterAll(() => cluster.stop());

const withKey = (key: string, path = '/clients', at = url) =>
  call(at, 'GET', path, { headers: { 'x-api-key': key } });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('an account', () => {
  it('shows its master key at registering and never again, and works with it at once', async () => {
    const account = await createAccount(url);
    expect((await withKey(account.masterKey)).status).toBe(200);
    const shown = await account.as('GET', '/auth/account');
    expect(shown.body).toMatchObject({
      id: account.accountId,
      email: account.email,
      emailProven: false,
      isAdministrator: false,
      rotationRequired: false,
    });
    expect(JSON.stringify(shown.body)).not.toContain(account.masterKey);
    expect(shown.body['masterKeyHint']).toBe(
      `${account.masterKey.slice(0, 8)}…${account.masterKey.slice(-4)}`,
    );
  });

  it('is one per address, whatever its case', async () => {
    const { email } = await createAccount(url);
    const again = await call(url, 'POST', '/auth/register', {
      body: { email: ` ${email.toUpperCase()} `, password: 'correct horse battery' },
    });
    expect(again).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });

  it.each([
    [{ email: 'a@b.example', password: 'too short' }, 'password'],
    [{ email: 'a@b.example', password: 'x'.repeat(129) }, 'password'],
    [{ email: 'a@b.example', password: 'qwertyuiop' }, 'password'],
    [{ email: 'my-own-name@b.example', password: 'my-own-name' }, 'password'],
    [{ email: 'no address', password: 'correct horse battery' }, 'email'],
    [{ email: 'a@b.example', password: 'correct horse battery', admin: true }, 'admin'],
    [{ password: 'correct horse battery' }, 'email'],
    [{ email: 7, password: 'correct horse battery' }, 'email'],
  ])('is refused for %j, naming %s', async (body, field) => {
    const answer = await call(url, 'POST', '/auth/register', { body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ field }] } });
  });

  it('signs in and out; a session that ended is worth nothing on any instance', async () => {
    const { email, password, accountId } = await createAccount(url);
    const login = await call(url, 'POST', '/auth/login', { body: { email, password } });
    expect(login).toMatchObject({
      status: 200,
      body: { account: { id: accountId, email }, rotationRequired: false },
    });
    const headers = bearer(login.body['sessionToken'] as string);
    const second = cluster.instances[1]?.url ?? '';
    expect((await call(second, 'GET', '/auth/account', { headers })).status).toBe(200);
    expect(await call(url, 'POST', '/auth/logout', { headers })).toMatchObject({ status: 200, body: {} });
    expect(await call(second, 'GET', '/auth/account', { headers })).toMatchObject({
      status: 401,
      body: { code: 'session_invalid' },
    });
  });

  it('lists its sessions page by page and ends one of them', async () => {
    const account = await createAccount(url);
    const { email, password } = account;
    for (let i = 0; i < 2; i++) await call(url, 'POST', '/auth/login', { body: { email, password } });
    const ids: string[] = [];
    let cursor: string | null | undefined;
    for (let page = 0; page < 3; page++) {
      const query = cursor === undefined ? '' : `&cursor=${cursor}`;
      const { body } = await account.as('GET', `/auth/sessions?limit=1${query}`);
      ids.push(...(body['items'] as { id: string }[]).map((session) => session.id));
      cursor = body['nextCursor'] as string | null;
    }
    expect(cursor).toBeNull();
    expect(new Set(ids).size).toBe(3);
    expect(await account.as('DELETE', `/auth/sessions/${ids[0]}`)).toMatchObject({ status: 200, body: {} });
    const left = await account.as('GET', '/auth/sessions');
    expect((left.body['items'] as { id: string }[]).map((session) => session.id)).toEqual(ids.slice(1));
  });

  it('changes its password, which ends the other sessions and keeps this one', async () => {
    const account = await createAccount(url);
    const { email, password } = account;
    const other = await call(url, 'POST', '/auth/login', { body: { email, password } });
    const wrong = await account.as('POST', '/auth/change-password', {
      currentPassword: 'not my password',
      newPassword: 'vexed otter piano',
    });
    expect(wrong).toMatchObject({ status: 401, body: { code: 'credentials_invalid' } });
    const changed = await account.as('POST', '/auth/change-password', {
      currentPassword: password,
      newPassword: 'vexed otter piano',
    });
    expect(changed.status).toBe(200);
    expect((await account.as('GET', '/auth/account')).status).toBe(200);
    const headers = bearer(other.body['sessionToken'] as string);
    expect((await call(url, 'GET', '/auth/account', { headers })).status).toBe(401);
    expect((await call(url, 'POST', '/auth/login', { body: { email, password } })).status).toBe(401);
    const login = { email, password: 'vexed otter piano' };
    expect((await call(url, 'POST', '/auth/login', { body: login })).status).toBe(200);
  });

  it('is exported whole, its fields named as in the API, without a secret or its hash', async () => {
    const account = await createAccount(url);
    const key = await account.createKey();
    const { token } = await account.pair({ worldTitle: 'The exported world' });
    const { headers, body } = await account.as('GET', '/auth/export');
    expect(headers.get('content-disposition')).toContain('attachment');
    expect(body).toMatchObject({
      account: { email: account.email },
      worlds: [{ worldTitle: 'The exported world' }],
      apiKeys: [{ name: 'test' }],
      connectionTokens: [{}],
      sessions: [{}],
      auditLog: expect.arrayContaining([expect.objectContaining({ event: 'api_key.created' })]),
    });
    const rows = Object.values(body).flatMap((list) => (Array.isArray(list) ? (list as object[]) : []));
    for (const field of rows.flatMap((row) => Object.keys(row))) expect(field).toMatch(/^[a-z][a-zA-Z]*$/);
    const text = JSON.stringify(body);
    for (const secret of [key, token, account.masterKey, account.sessionToken]) {
      expect(text).not.toContain(secret);
    }
    expect(text).not.toMatch(/hash/);
  });

  it('is exported with the whole of its logs, however long they are', async () => {
    const account = await createAccount(url);
    const entries = 50_100;
    await sql`insert into audit_log
      (id, at, account_id, event, outcome, actor, ip_address, user_agent, detail, instance_id)
      select lpad(n::text, 26, '0'), now(), ${account.accountId}, 'test.happened', '', '', '', '', '{}', ''
      from generate_series(1, ${entries}) as n`.execute(cluster.db);
    const { body } = await account.as('GET', '/auth/export');
    const ids = (body['auditLog'] as { id: string; event: string }[])
      .filter(({ event }) => event === 'test.happened')
      .map(({ id }) => id);
    expect(new Set(ids).size).toBe(entries);
    expect(ids).toHaveLength(entries);
    expect(body).toMatchObject({ connectionLogs: [], remoteRequestLogs: [] });
  });

  it('is deleted with all that is its own, records included', async () => {
    const account = await createAccount(url);
    const key = await account.createKey();
    const pairing = await account.pair();
    const module = await connectModule(url, pairing);
    await expect
      .poll(async () => (await account.as('GET', '/auth/connection-logs')).body['items'])
      .toHaveLength(1);
    expect(await account.as('DELETE', '/auth/account', { password: 'not my password' })).toMatchObject({
      status: 401,
    });
    expect((await account.as('DELETE', '/auth/account', { password: account.password })).status).toBe(200);
    expect((await module.closed).code).toBe(4002);
    expect((await withKey(key)).status).toBe(401);
    const { db } = cluster;
    for (const table of ['knownClients', 'apiKeys', 'sessions', 'connectionLogs', 'auditLog'] as const) {
      const rows = await db
        .selectFrom(table)
        .select('accountId')
        .where('accountId', '=', account.accountId)
        .execute();
      expect(rows, table).toEqual([]);
    }
  });
});

describe('a forgotten password', () => {
  async function askForReset(email: string): Promise<string> {
    mails.length = 0;
    expect((await call(url, 'POST', '/auth/forgot-password', { body: { email } })).status).toBe(200);
    await expect.poll(() => mails.length).toBe(1);
    return /#(trr_\w+)/.exec(mails[0]?.text ?? '')?.[1] ?? '';
  }
  const reset = (token: string, password = 'vexed otter piano') =>
    call(url, 'POST', '/auth/reset-password', { body: { token, password } });

  it('is replaced by a mailed link, once; sessions end, and the first time asks for rotation', async () => {
    const account = await createAccount(url);
    const key = await account.createKey();
    const token = await askForReset(account.email);
    expect(mails[0]?.to).toBe(account.email);
    expect((await reset(token)).status).toBe(200);
    expect(await reset(token)).toMatchObject({ status: 400, body: { errors: [{ field: 'token' }] } });
    expect((await account.as('GET', '/auth/account')).status).toBe(401);
    const body = { email: account.email, password: 'vexed otter piano' };
    const login = await call(url, 'POST', '/auth/login', { body });
    expect(login).toMatchObject({ status: 200, body: { rotationRequired: true } });
    expect(await withKey(key)).toMatchObject({ status: 403, body: { code: 'rotation_required' } });
    const rotated = await call(url, 'POST', '/auth/regenerate-key', { body });
    expect((await withKey(rotated.body['masterKey'] as string)).status).toBe(200);
    // The address is proven now: the second reset leaves the keys alone.
    expect((await reset(await askForReset(account.email), 'vexed otter organ')).status).toBe(200);
    expect((await withKey(rotated.body['masterKey'] as string)).status).toBe(200);
  });

  it('is replaced by one of ten uses of the link at once', async () => {
    const account = await createAccount(url);
    const token = await askForReset(account.email);
    const tries = Array.from({ length: 10 }, (_, index) => `vexed otter piano ${index}`);
    const answers = await Promise.all(tries.map((password) => reset(token, password)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(9);
    const winner = tries[answers.findIndex(({ status }) => status === 200)];
    const login = { email: account.email, password: winner };
    expect((await call(url, 'POST', '/auth/login', { body: login })).status).toBe(200);
  });

  it('expires after an hour', async () => {
    const account = await createAccount(url);
    const token = await askForReset(account.email);
    await cluster.db
      .updateTable('passwordResets')
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where('accountId', '=', account.accountId)
      .execute();
    expect((await reset(token)).status).toBe(400);
  });

  it('of an address that has no account gets the same answer and no mail', async () => {
    const account = await createAccount(url);
    mails.length = 0;
    const ask = (email: string) => call(url, 'POST', '/auth/forgot-password', { body: { email } });
    const unknown = await ask('nobody@example.org');
    const known = await ask(account.email);
    expect(unknown.status).toBe(known.status);
    expect(unknown.body).toEqual(known.body);
    await expect.poll(() => mails.map((mail) => mail.to)).toEqual([account.email]);
  });
});

describe('an administrator', () => {
  async function createAdministrator() {
    const admin = await createAccount(url);
    await makeAdministrator(cluster.db, admin);
    return admin;
  }

  it('forces rotation: keys, pairing and new credentials stop until the master key is regenerated', async () => {
    const admin = await createAdministrator();
    const account = await createAccount(url);
    const key = await account.createKey();
    const pairing = await account.pair();
    const module = await connectModule(url, pairing);
    const code = (await account.as('POST', '/auth/pairing-codes', {})).body['code'];
    expect((await withKey(key)).status).toBe(200);
    const forced = await admin.as('POST', `/admin/accounts/${account.accountId}/force-rotation`);
    expect(forced).toMatchObject({ status: 200, body: { rotationRequired: true } });
    expect((await module.closed).code).toBe(4000);
    expect(await withKey(key)).toMatchObject({ status: 403, body: { code: 'rotation_required' } });
    expect(await withKey(account.masterKey)).toMatchObject({ status: 403 });
    const pair = await call(url, 'POST', '/auth/pair', { body: { code, worldId: 'w' } });
    expect(pair).toMatchObject({ status: 403, body: { code: 'rotation_required' } });
    expect(await account.as('POST', '/auth/pairing-codes', {})).toMatchObject({ status: 403 });
    const { email, password } = account;
    const login = await call(url, 'POST', '/auth/login', { body: { email, password } });
    expect(login.body['rotationRequired']).toBe(true);
    const rotated = await call(url, 'POST', '/auth/regenerate-key', { body: { email, password } });
    expect((await withKey(rotated.body['masterKey'] as string)).status).toBe(200);
  });

  it('disables an account and enables it again; no token is forgotten for it', async () => {
    const admin = await createAdministrator();
    const account = await createAccount(url);
    const key = await account.createKey();
    const pairing = await account.pair();
    const module = await connectModule(url, pairing);
    await admin.as('POST', `/admin/accounts/${account.accountId}/disable`);
    expect((await module.closed).code).toBe(4000);
    expect(await withKey(key)).toMatchObject({ status: 403, body: { code: 'account_disabled' } });
    expect(await account.as('GET', '/auth/account')).toMatchObject({ body: { code: 'session_invalid' } });
    const { email, password } = account;
    const { body: signedIn } = await call(url, 'POST', '/auth/login', { body: { email, password } });
    const headers = { authorization: `Bearer ${String(signedIn['sessionToken'])}` };
    expect(await call(url, 'GET', '/auth/api-keys', { headers })).toMatchObject({
      status: 403,
      body: { code: 'account_disabled' },
    });
    const shown = await call(url, 'GET', '/auth/account', { headers });
    expect(shown).toMatchObject({ status: 200, body: { disabled: true } });
    await admin.as('POST', `/admin/accounts/${account.accountId}/enable`);
    expect((await withKey(key)).status).toBe(200);
    await (await connectModule(url, pairing)).close();
  });

  it('is the only one who may', async () => {
    const account = await createAccount(url);
    const paths = ['force-rotation', 'disable', 'enable', 'end-sessions'].map(
      (action) => `/admin/accounts/${account.accountId}/${action}`,
    );
    for (const path of paths) {
      expect(await account.as('POST', path)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
    expect(await account.as('GET', '/admin/accounts')).toMatchObject({ status: 403 });
    const sessions = `/admin/accounts/${account.accountId}/sessions`;
    expect(await account.as('GET', sessions)).toMatchObject({ status: 403 });
    expect(await account.as('DELETE', `${sessions}/any`)).toMatchObject({ status: 403 });
    expect(await call(url, 'GET', '/admin/accounts')).toMatchObject({ status: 401 });
  });
});

it('while Postgres is away accounts answer 503, and go on when it is back', async () => {
  const server = await startPostgres();
  const own = await startInstances({ databaseUrl: server.url });
  try {
    const [{ url: at }] = own.instances;
    const account = await createAccount(at);
    const { email, password } = account;
    await server.kill();
    const login = () => call(at, 'POST', '/auth/login', { body: { email, password } });
    for (const answer of [await login(), await account.as('GET', '/auth/account')]) {
      expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable', retryable: true } });
      expect(answer.headers.get('retry-after')).toBe('2');
    }
    await server.restart();
    await expect.poll(async () => (await login()).status, { timeout: 15_000 }).toBe(200);
  } finally {
    await own.stop();
    await server.stop();
  }
});
