import { call, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renewHash } from '../../src/accounts/passwords/renew-hash.ts';
import { createHashing } from '../../src/credentials/passwords/hashing.ts';
import { createPasswords } from '../../src/credentials/passwords/password.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
beforeAll(async () => {
  cluster = await startInstances({ count: 2, config: { publicUrl: 'https://dragonhall.example' } });
});
afterAll(() => cluster.stop());

const urlOf = (index: number) => cluster.instances[index % 2]?.url as string;
const typed = 'crème brûlée à volonté'.normalize('NFD');
const newPassword = 'vexed otter piano';

/** An account with the hash that earlier releases made of the password. */
async function createFormerAccount(): Promise<TestAccount> {
  const account = await createAccount(urlOf(0));
  const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
  await setHash(account, await hash(typed.normalize('NFKC'), cost));
  return account;
}

const setHash = ({ accountId }: TestAccount, passwordHash: string) =>
  cluster.db.updateTable('accounts').set({ passwordHash }).where('id', '=', accountId).execute();

const readHash = async ({ accountId }: TestAccount) =>
  await cluster.db
    .selectFrom('accounts')
    .select(['id', 'passwordHash'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();

const signIn = async ({ email }: TestAccount, password: string, index = 0) =>
  (await call(urlOf(index), 'POST', '/auth/login', { body: { email, password } })).status;

describe('a password whose hash an earlier release made', () => {
  it('opens the account as it is typed, and is from then on right as typed alone', async () => {
    const account = await createFormerAccount();
    const before = await readHash(account);
    expect(await signIn(account, typed)).toBe(200);
    expect((await readHash(account)).passwordHash).not.toBe(before.passwordHash);
    expect(await signIn(account, typed, 1)).toBe(200);
    expect(await signIn(account, typed.normalize('NFKC'))).toBe(401);
  });

  it('keeps its hash where it is typed in the form that was hashed', async () => {
    const account = await createFormerAccount();
    const before = await readHash(account);
    expect(await signIn(account, typed.normalize('NFKC'))).toBe(200);
    expect(await readHash(account)).toEqual(before);
  });

  it('opens the account for each of many who sign in at once, over two instances', async () => {
    const account = await createFormerAccount();
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => signIn(account, typed, index)));
    expect(answers).toEqual(Array(8).fill(200));
  });

  it('can be changed by a signed-in person', async () => {
    const account = await createFormerAccount();
    const change = { currentPassword: typed, newPassword };
    expect((await account.as('POST', '/auth/change-password', change)).status).toBe(200);
    expect(await signIn(account, typed)).toBe(401);
    expect(await signIn(account, newPassword)).toBe(200);
  });

  it('does not come back where the password was changed while it was looked at', async () => {
    const account = await createFormerAccount();
    const verified = { ...(await readHash(account)), hasSecondFactor: false };
    const settings = { running: 1, waiting: 9, waitingPerAddress: 9, waitMs: 10_000 };
    const passwords = createPasswords(settings, createHashing({ log: { info: () => {} }, niceness: 0 }));
    const visitor = { address: '192.0.2.1', account: account.email, isKnown: true };
    await setHash(account, await passwords.hash(newPassword, visitor));
    const changed = await readHash(account);
    const deps = { db: cluster.db, passwords };
    expect(await renewHash(deps, verified, { password: typed, visitor })).toEqual(verified);
    expect(await readHash(account)).toEqual(changed);
  });
});

describe('a new password', () => {
  it('is held against the host of PUBLIC_URL, wherever one is chosen', async () => {
    const password = 'dragonhall-2026';
    const email = 'somebody@mail.example';
    const registered = await call(urlOf(0), 'POST', '/auth/register', { body: { email, password } });
    const account = await createAccount(urlOf(0));
    const change = { currentPassword: account.password, newPassword: password };
    const changed = await account.as('POST', '/auth/change-password', change);
    expect(registered).toMatchObject({ status: 400, body: { errors: [{ field: 'password' }] } });
    expect(changed).toMatchObject({ status: 400, body: { errors: [{ field: 'newPassword' }] } });
  });
});
