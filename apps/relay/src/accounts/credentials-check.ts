import type { Database } from '@tabletop-relay/database';
import { isCommonPassword } from '../auth/common-passwords.ts';
import { ProblemError, invalidFields } from '../http/problem.ts';
import type { AccountDeps, Sender } from './deps.ts';
import { countSignIn, forgetFailures, tooEarly } from './login-throttle.ts';
import { auditOf } from './sender.ts';

export const normalizeEmail = (email: string) => email.trim().toLowerCase();

interface CheckedAccount {
  id: string;
  email: string;
  rotation_required: boolean;
}

/**
 * The account of an e-mail and password. Unknown address and wrong password cost the same time and read the
 * same. Growing delay per address, but for who comes from where the account is signed in: nobody can be
 * locked out.
 */
export async function checkCredentials(
  deps: Pick<AccountDeps, 'db' | 'passwords' | 'secret' | 'records' | 'now'>,
  input: { email: string; password: string; sender: Sender },
): Promise<CheckedAccount> {
  const { db, passwords, secret, records } = deps;
  const email = normalizeEmail(input.email);
  const { waitS } = await countSignIn(db, { secret, email, now: deps.now() });
  if (waitS > 0 && !(await isKnownPlace(db, email, input.sender.ipAddress))) throw tooEarly(waitS);
  const account = await db
    .selectFrom('accounts')
    .select(['id', 'email', 'password_hash', 'rotation_required'])
    .where('email', '=', email)
    .executeTakeFirst();
  if (!(await passwords.verify(account?.password_hash, input.password))) {
    if (account) {
      records.audit({
        account_id: account.id,
        event: 'login.failed',
        outcome: 'refused',
        ...auditOf(input.sender),
      });
    }
    throw new ProblemError('credentials_invalid', 'E-mail or password is wrong.');
  }
  await forgetFailures(db, secret, email);
  return account as CheckedAccount;
}

async function isKnownPlace(db: Database, email: string, ipAddress: string): Promise<boolean> {
  const session = await db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select('sessions.id')
    .where('email', '=', email)
    .where('ip_address', '=', ipAddress)
    .executeTakeFirst();
  return session !== undefined;
}

/** Throws `invalid_request` for a password that everybody tries first. `field` is its name in the body. */
export async function checkNewPassword(password: string, email: string, field: string): Promise<void> {
  const plain = password.toLowerCase();
  if (plain === email || plain === email.split('@')[0] || (await isCommonPassword(password))) {
    throw invalidFields([{ field, message: 'is among the passwords that are tried first; choose another' }]);
  }
}
