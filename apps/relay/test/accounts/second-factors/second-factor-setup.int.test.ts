import { addTotp, call, codeOf, createAccount, eventsTold, sendTwice } from '@tabletop-relay/testing/scenes';
import type { TestAccount, TestTotp } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startInstances } from '../../instances.ts';
import type { TestInstances } from '../../instances.ts';

let cluster: TestInstances;
let url: string;

beforeAll(async () => {
  cluster = await startInstances({ count: 2 });
  url = cluster.instances[0].url;
});
afterAll(() => cluster.stop());

let account: TestAccount;
let totp: TestTotp;

beforeEach(async () => {
  account = await createAccount(url);
  totp = await addTotp(account, cluster.db);
});

const login = (own: TestAccount, part: object = {}, at = url) =>
  call(at, 'POST', '/auth/login', { body: { email: own.email, password: own.password, ...part } });

const byTotp = async () => ({ method: 'totp', code: await totp.newCode() });

describe('setting up and removing', () => {
  it('asks for the password, and keeps nothing until a code of the app was right', async () => {
    const fresh = await createAccount(url);
    const begin = (password: string) => fresh.as('POST', '/auth/second-factors/totp', { password });
    expect(await begin('not the password')).toMatchObject({
      status: 401,
      body: { code: 'credentials_invalid' },
    });
    const { setup, uri } = (await begin(fresh.password)).body as Record<string, string>;
    expect(uri).toMatch(/^otpauth:\/\/totp\//);
    const confirmed = await fresh.as('POST', '/auth/second-factors/totp/confirm', { setup, code: '000000' });
    expect(confirmed).toMatchObject({ status: 400, body: { errors: [{ field: 'code' }] } });
    expect((await login(fresh)).status).toBe(200);
  });

  it('is good in the session that began it, once', async () => {
    const fresh = await createAccount(url);
    const { password } = fresh;
    const { setup, secret } = (await fresh.as('POST', '/auth/second-factors/totp', { password }))
      .body as Record<string, string>;
    const body = { setup, code: codeOf(secret ?? '') };
    const path = '/auth/second-factors/totp/confirm';
    const elsewhere = { authorization: `Bearer ${String((await login(fresh)).body['sessionToken'])}` };
    expect((await call(url, 'POST', path, { body, headers: elsewhere })).status).toBe(400);
    expect((await account.as('POST', path, body)).status).toBe(400);
    expect((await fresh.as('POST', path, body)).status).toBe(200);
    expect((await fresh.as('POST', path, body)).status).toBe(400);
    // The other session was opened with the password alone.
    expect((await call(url, 'GET', '/auth/account', { headers: elsewhere })).status).toBe(401);
  });

  it('removes the last factor with its recovery codes, and tells the owner', async () => {
    const removed = await sendTwice(
      (part) =>
        account.as('DELETE', `/auth/second-factors/${totp.id}`, { password: account.password, ...part }),
      byTotp,
    );
    expect(removed.status).toBe(200);
    expect((await account.as('GET', '/auth/second-factors')).body).toMatchObject({
      items: [],
      recoveryCodesLeft: 0,
    });
    expect((await login(account)).status).toBe(200);
    expect(await eventsTold(cluster.db, account.accountId)).toContain('second_factor.removed');
  });

  it('never shows a secret again: not in lists, not in the export, not in a column', async () => {
    const exported = (await account.as('GET', '/auth/export')).body;
    expect(exported).toMatchObject({
      secondFactors: [{ kind: 'totp', name: 'Authenticator app' }],
      recoveryCodesLeft: 10,
    });
    const rows = await cluster.db
      .selectFrom('secondFactors')
      .selectAll()
      .where('accountId', '=', account.accountId)
      .execute();
    const seen = JSON.stringify([exported, rows, (await account.as('GET', '/auth/second-factors')).body]);
    expect(seen).not.toContain(totp.secret);
    expect(JSON.stringify(exported)).not.toContain(rows[0]?.sealedSecret ?? '?');
  });

  it('leaves nothing of a deleted account', async () => {
    const send = (part: object) =>
      account.as('DELETE', '/auth/account', { password: account.password, ...part });
    expect((await sendTwice(send, byTotp)).status).toBe(200);
    for (const table of ['secondFactors', 'recoveryCodes', 'usedTokens'] as const) {
      const rows = await cluster.db
        .selectFrom(table)
        .selectAll()
        .where('accountId', '=', account.accountId)
        .execute();
      expect(rows, table).toEqual([]);
    }
  });

  it('does not reach the factors of another account', async () => {
    const other = await createAccount(url);
    const path = `/auth/second-factors/${totp.id}`;
    expect((await other.as('PATCH', path, { name: 'mine' })).status).toBe(404);
    expect((await other.as('DELETE', path, { password: other.password })).status).toBe(404);
    expect((await account.as('GET', '/auth/second-factors')).body).toMatchObject({
      items: [{ name: 'Authenticator app' }],
    });
  });
});
