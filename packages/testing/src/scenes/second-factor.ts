import type { Database } from '@tabletop-relay/database';
import { Secret, TOTP } from 'otpauth';
import type { Answer, TestAccount } from './account.ts';

/** An authenticator app with the secret of one account. */
export interface TestTotp {
  secret: string;
  id: string;
  recoveryCodes: string[];
  /** A code that the relay has not seen yet: the last step that it took is forgotten. */
  newCode(): Promise<string>;
}

/** The code of the current step, or of one so many steps later. */
export function codeOf(secret: string, steps = 0): string {
  const timestamp = Date.now() + steps * 30_000;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

/** Sets up codes of an authenticator app as a person does, for an account without a factor. */
export async function addTotp(account: TestAccount, db: Database): Promise<TestTotp> {
  const { password } = account;
  const { setup, secret } = (await account.as('POST', '/auth/second-factors/totp', { password })).body as {
    setup: string;
    secret: string;
  };
  const { status, body } = await account.as('POST', '/auth/second-factors/totp/confirm', {
    setup,
    code: codeOf(secret),
  });
  if (status !== 200) throw new Error(`no factor was set up: ${JSON.stringify(body)}`);
  const { factor, recoveryCodes } = body as { factor: { id: string }; recoveryCodes: string[] };
  return {
    secret,
    id: factor.id,
    recoveryCodes,
    async newCode() {
      await db.updateTable('secondFactors').set({ lastStep: 0 }).where('id', '=', factor.id).execute();
      return codeOf(secret);
    },
  };
}

/** Makes the account an administrator who may do everything. */
export async function makeAdministrator(db: Database, account: TestAccount): Promise<TestTotp> {
  await db
    .updateTable('accounts')
    .set({ isAdministrator: true })
    .where('id', '=', account.accountId)
    .execute();
  return await addTotp(account, db);
}

/** Sends what asks for a second factor, and sends it again with the answer to the challenge. */
export async function sendTwice(
  send: (part: { secondFactor?: object }) => Promise<Answer>,
  answer: (demand: Answer['body']) => object | Promise<object>,
): Promise<Answer> {
  const asked = await send({});
  if (asked.body['code'] !== 'second_factor_required')
    throw new Error(`asked for no factor: ${JSON.stringify(asked.body)}`);
  const challenge = asked.body['challenge'];
  return await send({ secondFactor: { challenge, ...(await answer(asked.body)) } });
}
