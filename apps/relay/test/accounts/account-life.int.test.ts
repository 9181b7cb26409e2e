import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MailMessage } from '@tabletop-relay/notifications';
import { startPostgres } from '@tabletop-relay/testing';
import { bearer, call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import { keepResets } from '../keep-resets.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

const mails: MailMessage[] = [];
let cluster: TestInstances;
let url: string;

beforeAll(async () => {
  cluster = await startInstances({
    count: 2,
    sendMail: keepResets(mails),
  });
  url = cluster.instances[0].url;
});
afterAll(() => cluster.stop());

const withKey = (key: string, path = '/clients', at = url) =>
  call(at, 'GET', path, { headers: { 'x-api-key': key } });

/** The table of a part of the export, where it has another name. */
const tableOfPart: Record<string, string> = {
  worlds: 'knownClients', recoveryCodesLeft: 'recoveryCodes', signInRequests: 'oauthRequests',
}; // prettier-ignore

/** Tables that name accounts and are in no export: codes for some minutes, and what instances tell each other. */
const passing = [
  'credentialEvents', 'emailConfirmations', 'notices', 'openConnections', 'pairingCodes', 'passwordResets', 'usedTokens',
]; // prettier-ignore

describe('an account', () => {
  it('shows its master key at registering and never again, and works with it at once', async () => {
    const account = await createAccount(url);
    expect((await withKey(account.masterKey)).status).toBe(200);
    const shown = await account.as('GET', '/auth/account');
    expect(shown.body).toMatchObject({
      id: account.accountId,
      email: account.email,
      emailConfirmed: false,
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

  it('lists its sessions page by page, and ends one of them with the password alone', async () => {
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
    const end = (typed: string) => account.as('DELETE', `/auth/sessions/${ids[0]}`, { password: typed });
    expect(await end('not my password')).toMatchObject({
      status: 401,
      body: { code: 'credentials_invalid' },
    });
    expect((await account.as('GET', '/auth/sessions')).body['items']).toHaveLength(3);
    expect(await end(password)).toMatchObject({ status: 200, body: {} });
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

  it('is exported with a part for each table that names accounts', async () => {
    const named = await sql<{ name: string }>`select relname as name from pg_class
      join pg_attribute on attrelid = pg_class.oid and attname = 'account_id'
      where relkind in ('r', 'p') and not relispartition`.execute(cluster.db);
    const { body } = await (await createAccount(url)).as('GET', '/auth/export');
    const exported = new Set(Object.keys(body).map((part) => tableOfPart[part] ?? part));
    const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    const missing = named.rows.map(({ name }) => camel(name)).filter((table) => !exported.has(table));
    expect(missing.toSorted()).toEqual(passing);
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
