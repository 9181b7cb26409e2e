import { afterAll, beforeAll, expect, it } from 'vitest';
import { totpContext } from '../../../src/accounts/second-factors/totp.ts';
import { createSealer } from '@tabletop-relay/database';
import { addTotp, call, codeOf, createAccount } from '@tabletop-relay/testing/scenes';
import type { Answer, TestAccount, TestTotp } from '@tabletop-relay/testing/scenes';
import { startInstances } from '../../instances.ts';
import type { TestInstances } from '../../instances.ts';

let cluster: TestInstances;
let account: TestAccount;
let totp: TestTotp;

beforeAll(async () => {
  cluster = await startInstances();
  account = await createAccount(cluster.instances[0].url);
  totp = await addTotp(account, cluster.db);
  // As it stands in the database once RELAY_SECRET was changed.
  const before = createSealer(['what the secret was before, long enough.']);
  await cluster.db
    .updateTable('secondFactors')
    .set({ sealedSecret: before.seal(totp.secret, totpContext(account.accountId)), lastStep: 0 })
    .where('id', '=', totp.id)
    .execute();
});
afterAll(() => cluster.stop());

const login = (part: object = {}): Promise<Answer> => {
  const { email, password } = account;
  return call(cluster.instances[0].url, 'POST', '/auth/login', { body: { email, password, ...part } });
};

it('after a new RELAY_SECRET a code is refused with what to do instead, and that works', async () => {
  const asked = await login();
  expect(asked).toMatchObject({
    status: 401,
    body: {
      code: 'second_factor_required',
      methods: ['recovery'],
      detail: expect.stringMatching(/recovery code/),
    },
  });
  const byCode = await login({
    secondFactor: { challenge: asked.body['challenge'], method: 'totp', code: codeOf(totp.secret) },
  });
  expect(byCode).toMatchObject({
    status: 401,
    body: {
      code: 'second_factor_invalid',
      methods: ['recovery'],
      detail: expect.stringMatching(/recovery code.*operator/),
    },
  });
  const [code] = totp.recoveryCodes;
  const byRecovery = await login({
    secondFactor: { challenge: byCode.body['challenge'], method: 'recovery', code },
  });
  expect(byRecovery.status).toBe(200);
});

it('and who has no recovery code left is told to ask the operator', async () => {
  await cluster.db.deleteFrom('recoveryCodes').where('accountId', '=', account.accountId).execute();
  expect(await login()).toMatchObject({
    status: 401,
    body: { methods: [], detail: expect.stringMatching(/ask the operator/) },
  });
});
