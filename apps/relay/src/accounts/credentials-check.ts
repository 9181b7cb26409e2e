import type { Database } from '@tabletop-relay/database';
import { isCommonPassword } from '../credentials/common-passwords.ts';
import { ProblemError, invalidFields } from '../problem.ts';
import type { VerifiedAccount } from './account-lock.ts';
import type { AccountDeps } from './deps.ts';
import type { Sender } from '../records/sender.ts';
import { emailKey, findAccountEmail } from './email.ts';
import { findDevice } from './sign-in/known-devices.ts';
import type { Limit } from '../limits/limits.ts';
import { auditOf } from '../records/sender.ts';
import type { SessionPrincipal } from './sessions.ts';

interface CheckedAccount extends VerifiedAccount {
  email: string;
  rotationRequired: boolean;
}

/** What somebody gives who is not signed in. */
export interface Credentials {
  email: string;
  password: string;
  sender: Sender;
  /** The cookie of devices that accounts were signed in on. */
  devices?: string;
  /** Failures per address; absent: the route counts for itself. */
  perAddress?: Limit;
}

/**
 * The account of an e-mail and password. Unknown address and wrong password cost the same time, count alike and read
 * the same. Throws `credentials_invalid`, and what the guard throws.
 */
export async function checkCredentials(
  deps: Pick<AccountDeps, 'db' | 'passwords' | 'guard' | 'secret' | 'records'>,
  { email: typed, password, sender, devices = '', perAddress }: Credentials,
): Promise<CheckedAccount> {
  const account = await findAccount(deps.db, typed);
  const attempt = {
    email: emailKey(typed),
    address: sender.ipAddress,
    device: account && findDevice(devices, account, deps.secret),
    ...(perAddress ? { perAddress } : {}),
  };
  const isRight = await deps.guard.check(attempt, (visitor) =>
    deps.passwords.verify(account?.passwordHash, password, visitor),
  );
  if (account && isRight) return account;
  if (account) {
    deps.records.audit({
      accountId: account.id,
      event: 'login.failed',
      outcome: 'refused',
      ...auditOf(sender),
    });
  }
  throw new ProblemError('credentials_invalid', wrongCredentials);
}

async function findAccount(db: Database, typed: string): Promise<CheckedAccount | undefined> {
  const email = await findAccountEmail(db, typed);
  return await db
    .selectFrom('accounts')
    .select(['id', 'email', 'passwordHash', 'rotationRequired'])
    .where('email', '=', email ?? '')
    .executeTakeFirst();
}

/** What somebody is told who signs in with a wrong password, or with an address that has no account. */
export const wrongCredentials = 'E-mail or password is wrong.';

/** What somebody is told who is signed in and gives a wrong password. */
export const wrongPassword = 'The password is wrong.';

/** The account of somebody who is signed in, after the password was given again. Throws `credentials_invalid`. */
export async function verifyPassword(
  { db, passwords }: Pick<AccountDeps, 'db' | 'passwords'>,
  session: SessionPrincipal,
  { password, sender }: { password: string; sender: Sender },
): Promise<VerifiedAccount> {
  const account = await db
    .selectFrom('accounts')
    .select(['id', 'passwordHash'])
    .where('id', '=', session.accountId)
    .executeTakeFirst();
  const visitor = { address: sender.ipAddress, account: session.email, isKnown: true };
  const isRight = await passwords.verify(account?.passwordHash, password, visitor);
  if (!account || !isRight) throw new ProblemError('credentials_invalid', wrongPassword);
  return account;
}

/** Throws `invalid_request` for a password that everybody tries first. `field` is its name in the body. */
export async function checkNewPassword(password: string, email: string, field: string): Promise<void> {
  const plain = password.toLowerCase();
  if (plain === email || plain === email.split('@')[0] || (await isCommonPassword(password))) {
    throw invalidFields([{ field, message: 'is among the passwords that are tried first; choose another' }]);
  }
}
