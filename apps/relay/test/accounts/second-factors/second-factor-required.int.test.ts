import { addTotp, call, createAccount, makeAdministrator } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstances } from '../../instances.ts';
import type { TestInstances } from '../../instances.ts';

let cluster: TestInstances;
let url: string;

beforeAll(async () => {
  cluster = await startInstances({ count: 2 });
  url = cluster.instances[0].url;
});
afterAll(() => cluster.stop());

describe('an administrator without a factor', () => {
  it('may only set one up, read the account and sign out', async () => {
    const admin = await createAccount(url);
    await cluster.db
      .updateTable('accounts')
      .set({ isAdministrator: true })
      .where('id', '=', admin.accountId)
      .execute();
    for (const [method, path] of [
      ['GET', '/admin/accounts'],
      ['GET', '/auth/sessions'],
      ['GET', '/auth/api-keys'],
      ['POST', '/auth/pairing-codes'],
      ['GET', '/auth/export'],
      ['GET', '/auth/audit-log'],
    ] as const) {
      expect(await admin.as(method, path), path).toMatchObject({
        status: 403,
        body: { code: 'second_factor_missing' },
      });
    }
    const { email, password } = admin;
    expect(await call(url, 'POST', '/auth/regenerate-key', { body: { email, password } })).toMatchObject({
      status: 403,
      body: { code: 'second_factor_missing' },
    });
    expect((await admin.as('GET', '/auth/account')).body).toMatchObject({ secondFactor: 'missing' });
    expect((await admin.as('GET', '/auth/second-factors')).body).toMatchObject({ required: true });
    await addTotp(admin, cluster.db);
    expect((await admin.as('GET', '/admin/accounts')).status).toBe(200);
    expect((await admin.as('GET', '/auth/account')).body).toMatchObject({ secondFactor: 'set' });
  });

  it('sets one up even while the master key must be rotated', async () => {
    const admin = await createAccount(url);
    await cluster.db
      .updateTable('accounts')
      .set({ rotationRequired: true })
      .where('id', '=', admin.accountId)
      .execute();
    await makeAdministrator(cluster.db, admin);
    expect((await admin.as('GET', '/admin/accounts')).status).toBe(200);
  });
});
