import { call, createAccount } from '@tabletop-relay/testing/scenes';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAdminCommand } from '../../src/admin/run-command.ts';
import { createRecords } from '../../src/records/records.ts';
import { adminDeps } from '../admin.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let url: string;
const mailedTo: string[] = [];
beforeAll(async () => {
  cluster = await startInstances({
    sendMail: ({ to, text }) => {
      // Each new account is also mailed a link that confirms its address.
      if (text.includes('reset-password#')) mailedTo.push(to);
      return Promise.resolve();
    },
  });
  url = cluster.instances[0].url;
});
afterAll(() => cluster.stop());

const password = 'a long enough password';
const post = (path: string, email: string) =>
  call(url, 'POST', path, { body: path === '/auth/forgot-password' ? { email } : { email, password } });

describe('the e-mail address of an account', () => {
  it.each(['victim@x.test,', '<victim@x.test>', 'vic\u0007tim@x.test', 'vic\u200Btim@x.test'])(
    'cannot be %j, whose mails would be another person’s',
    async (email) => {
      expect(await post('/auth/register', email)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ field: 'email' }] },
      });
    },
  );

  it('is one, however it is written', async () => {
    expect((await post('/auth/register', 'Jose\u0301@M\u00FCnchen.test')).body['account']).toMatchObject({
      email: 'jos\u00E9@xn--mnchen-3ya.test',
    });
    expect((await post('/auth/register', 'jos\u00E9@xn--mnchen-3ya.test')).status).toBe(409);
    expect((await post('/auth/login', ' JOS\u00C9@mu\u0308nchen.test')).status).toBe(200);
  });

  it.each([
    ['now-invalid@x.test,', undefined],
    ['former@b\u00FCcher.test', 'former@xn--bcher-kva.test'],
  ])(
    'that was registered as %j before still signs in, and its mails reach nobody else',
    async (email, to) => {
      const owner = await createAccount(url);
      await cluster.db.updateTable('accounts').set({ email }).where('id', '=', owner.accountId).execute();
      const login = () => call(url, 'POST', '/auth/login', { body: { email, password: owner.password } });
      expect((await login()).status).toBe(200);
      if (to) await post('/auth/register', to);
      expect((await login()).body['account']).toMatchObject({ id: owner.accountId });
      expect((await post('/auth/register', email)).status).toBe(to ? 409 : 400);
      mailedTo.length = 0;
      await post('/auth/forgot-password', email);
      // A mail goes out beside the answer, so the order may change. One that should not come has the time of two that should.
      const witnesses = [await createAccount(url), await createAccount(url)];
      const expected = to ? [to] : [];
      for (const witness of witnesses) {
        await post('/auth/forgot-password', witness.email);
        expected.push(witness.email);
        await expect.poll(() => mailedTo.toSorted()).toEqual(expected.toSorted());
      }
      const { db } = cluster;
      const records = createRecords({ db, instanceId: 'test', log: pino({ level: 'silent' }) });
      expect(await runAdminCommand(adminDeps(cluster, records), ['force-rotation', email])).toContain('done');
      await records.stop();
    },
  );
});
