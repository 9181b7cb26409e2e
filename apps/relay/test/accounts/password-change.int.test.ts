import { waitFor } from '@tabletop-relay/testing';
import { bearer, call, createAccount } from '@tabletop-relay/testing/scenes';
import type { Answer, TestAccount } from '@tabletop-relay/testing/scenes';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHashing } from '../../src/credentials/passwords/hashing.ts';
import { createPasswords } from '../../src/credentials/passwords/password.ts';
import { hashSecret } from '../../src/credentials/secret.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
beforeAll(async () => {
  // What is verified after the change is a failed sign-in: more of them than one address may have.
  cluster = await startInstances({ count: 2, config: { signInFailuresPerPair: 100 } });
});
afterAll(() => cluster.stop());

const urlOf = (index: number) => cluster.instances[index % 2]?.url as string;
const newPassword = 'a password that is new';

/** Calls `path` with the account's password many times at once, over both instances or at one. */
function tryAll(path: string, account: TestAccount, at?: string): Promise<Answer[]> {
  const body = { email: account.email, password: account.password };
  return Promise.all(
    Array.from({ length: 12 }, (_, index) => call(at ?? urlOf(index), 'POST', path, { body })),
  );
}

/** While the account's row is locked, `meanwhile` begins and has to wait for it, one change on each instance; then `change` commits. */
async function changeDuring<T>(
  account: TestAccount,
  meanwhile: () => Promise<T>,
  { change, instances }: { change: 'password' | 'deletion'; instances: number },
): Promise<T> {
  const settings = { running: 1, waiting: 1, waitingPerAddress: 1, waitMs: 10_000 };
  const visitor = { address: '', account: account.email, isKnown: true };
  const passwordHash = await createPasswords(
    settings,
    createHashing({ log: { info: () => {} }, niceness: 0 }),
  ).hash(newPassword, visitor);
  const { result } = await cluster.db.transaction().execute(async (trx) => {
    await trx.selectFrom('accounts').select('id').where('id', '=', account.accountId).forUpdate().execute();
    const started = meanwhile();
    await waitFor(async () => (await countWaiting()) >= instances);
    if (change === 'deletion') {
      await trx.deleteFrom('accounts').where('id', '=', account.accountId).execute();
    } else {
      await trx.updateTable('accounts').set({ passwordHash }).where('id', '=', account.accountId).execute();
    }
    return { result: started };
  });
  return await result;
}

async function countWaiting(): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(cluster.db);
  return rows[0]?.waiting ?? 0;
}

const outcomes = (answers: readonly Answer[]) => [
  ...new Set(answers.map(({ status, body }) => `${status} ${String(body['code'])}`)),
];

describe('a password that was changed while it was being verified', () => {
  it.each(['/auth/login', '/auth/regenerate-key'])('is refused as a wrong one by %s', async (path) => {
    const account = await createAccount(urlOf(0));
    const answers = await changeDuring(account, () => tryAll(path, account), {
      change: 'password',
      instances: 2,
    });
    expect(outcomes(answers)).toEqual(['401 credentials_invalid']);
    const headers = { 'x-api-key': account.masterKey };
    expect((await call(urlOf(1), 'GET', '/clients', { headers })).status).toBe(200);
  });

  it('changes no password and deletes no account', async () => {
    const account = await createAccount(urlOf(0));
    const attempts = () =>
      Promise.all([
        ...[0, 1].map(() =>
          account.as('POST', '/auth/change-password', {
            currentPassword: account.password,
            newPassword: 'a password of the attacker',
          }),
        ),
        ...[0, 1].map(() => account.as('DELETE', '/auth/account', { password: account.password })),
      ]);
    expect(outcomes(await changeDuring(account, attempts, { change: 'password', instances: 1 }))).toEqual([
      '401 credentials_invalid',
    ]);
    const body = { email: account.email, password: newPassword };
    expect((await call(urlOf(1), 'POST', '/auth/login', { body })).status).toBe(200);
  });

  it('leaves no session that works, however the sign-ins race with the change', async () => {
    const account = await createAccount(urlOf(0));
    // At the other instance, where passwords wait in another line: most are verified after the change.
    const signingIn = tryAll('/auth/login', account, urlOf(1));
    const changed = await account.as('POST', '/auth/change-password', {
      currentPassword: account.password,
      newPassword,
    });
    expect(changed.status).toBe(200);
    const sessions = (await signingIn).filter(({ status }) => status === 200);
    for (const { body } of sessions) {
      const headers = { authorization: `Bearer ${String(body['sessionToken'])}` };
      expect((await call(urlOf(1), 'GET', '/auth/account', { headers })).status).toBe(401);
    }
    expect((await account.as('GET', '/auth/account')).status).toBe(200);
  });

  it('ends as a wrong one where the account is deleted meanwhile', async () => {
    const account = await createAccount(urlOf(0));
    const answers = await changeDuring(account, () => tryAll('/auth/login', account), {
      change: 'deletion',
      instances: 2,
    });
    expect(outcomes(answers)).toEqual(['401 credentials_invalid']);
  });
});

describe('a session that ended while its request waited', () => {
  it('makes no credential', async () => {
    const account = await createAccount(urlOf(0));
    const { body: signedIn } = await call(urlOf(0), 'POST', '/auth/login', {
      body: { email: account.email, password: account.password },
    });
    const headers = bearer(String(signedIn['sessionToken']));
    const { body: asked } = await call(urlOf(0), 'POST', '/auth/key-request', {
      body: { appName: 'Initiative bot', scopes: ['clients:read'] },
    });
    const as = (path: string, body: object) => call(urlOf(0), 'POST', path, { headers, body });
    const { result } = await cluster.db.transaction().execute(async (trx) => {
      await trx.selectFrom('accounts').select('id').where('id', '=', account.accountId).forUpdate().execute();
      const started = Promise.all([
        as('/auth/api-keys', { name: 'late', scopes: ['clients:read'] }),
        as('/auth/pairing-codes', {}),
        as(`/auth/key-request/${String(asked['code'])}/approve`, {}),
      ]);
      await waitFor(async () => (await countWaiting()) >= 1);
      await trx
        .deleteFrom('sessions')
        .where('hash', '=', hashSecret(String(signedIn['sessionToken'])))
        .execute();
      return { result: started };
    });
    expect(outcomes(await result)).toEqual(['401 session_invalid']);
    const { body: keys } = await account.as('GET', '/auth/api-keys');
    expect(keys['items']).toEqual([]);
  });
});
