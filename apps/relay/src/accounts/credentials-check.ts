import type { AllEndpoints, SecondFactorAnswer } from '@tabletop-relay/contract';
import type { Database, RelaySecrets } from '@tabletop-relay/database';
import { ProblemError } from '../problem.ts';
import type { VerifiedAccount } from './account-lock.ts';
import type { Caller, Sender, SessionPrincipal } from '../endpoint-handler.ts';
import type { Passwords } from '../credentials/passwords/password.ts';
import type { Records } from '../records/records.ts';
import { emailKey, meantAccount, meantEmails } from './mail/email.ts';
import { renewHash } from './passwords/renew-hash.ts';
import { findDevice, readDevices } from './sign-in/known-devices.ts';
import type { Limit } from '../limits/limits.ts';
import { auditOf } from '../records/sender.ts';
import type { CheckSecondFactor } from './second-factors/check-second-factor.ts';
import { hasSecondFactor } from './second-factors/factors.ts';
import type { SignInGuard } from './sign-in/sign-in-guard.ts';

interface CheckedAccount extends VerifiedAccount {
  email: string;
  isAdministrator: boolean;
  rotationRequired: boolean;
}

export interface CredentialDeps {
  db: Database;
  passwords: Passwords;
  guard: SignInGuard;
  /** RELAY_SECRET: signs the cookie of known devices. */
  secrets: RelaySecrets;
  records: Pick<Records, 'audit'>;
  checkSecondFactor: CheckSecondFactor;
}

/** The second half of the proof, and the endpoint that asks for it. */
interface FactorProof {
  secondFactor?: SecondFactorAnswer | undefined;
  purpose: keyof AllEndpoints;
}

/** The e-mail and password of a caller without a session, and the marks that the caller is known by. */
export interface Credentials extends FactorProof {
  email: string;
  password: string;
  sender: Sender;
  publicUrl: string;
  /** The cookie that names the accounts which were signed in on this device. */
  devices?: string;
  /** The limit of failures per address. Without it the endpoint's own limit counts. */
  perAddress?: Limit;
}

/**
 * The account that an e-mail and a password belong to, and its second factor where it has one. An unknown address and a wrong password take the same time, count
 * alike and are answered alike. Throws `credentials_invalid`, `second_factor_required`, `second_factor_invalid`,
 * `rate_limited` and `overloaded`.
 */
export async function checkCredentials(deps: CredentialDeps, input: Credentials): Promise<CheckedAccount> {
  const { email: typed, password, sender, devices = '', perAddress } = input;
  let found: Promise<CheckedAccount | undefined> | undefined;
  const find = () => (found ??= findAccount(deps.db, typed));
  // Only a device's cookie needs the account at once. Whoever has none waits in line first, because strangers who flood
  // sign-in would make Postgres look up an account for each of their tries.
  const known = devices === '' ? undefined : await find();
  const attempt = {
    email: emailKey(typed),
    address: sender.ipAddress,
    device: known && findDevice(devices, known, deps.secrets),
    hasSecondFactor: async () => (await find())?.hasSecondFactor ?? false,
    ...(perAddress ? { perAddress } : {}),
  };
  const findHash = async () => (await find())?.passwordHash;
  const isRight = await deps.guard.check(attempt, (visitor) =>
    deps.passwords.verify(findHash, password, visitor),
  );
  const account = await find();
  if (account && isRight) {
    const { purpose, secondFactor: answer, publicUrl } = input;
    if (account.hasSecondFactor)
      await deps.checkSecondFactor({ account, attempt, purpose, answer, publicUrl, sender });
    const visitor = { address: sender.ipAddress, account: attempt.email, isKnown: true };
    return await renewHash(deps, account, { password, visitor });
  }
  if (account) {
    recordFailure(deps, { accountId: account.id, actor: 'anyone', sender });
  }
  throw new ProblemError('credentials_invalid', wrongCredentials);
}

async function findAccount(db: Database, typed: string): Promise<CheckedAccount | undefined> {
  const accounts = await db
    .selectFrom('accounts')
    .select(['id', 'email', 'passwordHash', 'isAdministrator', 'rotationRequired'])
    .select(hasSecondFactor.as('hasSecondFactor'))
    .where('email', 'in', meantEmails(typed))
    .execute();
  return meantAccount(accounts, typed);
}

/** The refusal of a sign-in: the same for a wrong password and for an address without an account. */
export const wrongCredentials = 'E-mail or password is wrong.';

function recordFailure(
  { records }: Pick<CredentialDeps, 'records'>,
  { accountId, actor, sender }: { accountId: string; actor: 'anyone' | 'session'; sender: Sender },
): void {
  records.audit({ accountId, event: 'login.failed', actor, ...auditOf(sender) });
}

/** The refusal of a wrong password that a signed-in person gives. */
export const wrongPassword = 'That is not your password.';

export type VerifyPasswordDeps = Pick<
  CredentialDeps,
  'db' | 'passwords' | 'guard' | 'secrets' | 'records' | 'checkSecondFactor'
>;

/**
 * The account of a signed-in person who gave the password again, and the second factor where there is one. A wrong password is a
 * failed sign-in. Throws `credentials_invalid`, `second_factor_required`, `second_factor_invalid`, `rate_limited` and
 * `overloaded`.
 */
export async function verifyPassword(
  deps: VerifyPasswordDeps,
  caller: Pick<Caller, 'sender' | 'cookies' | 'publicUrl'> & { session: SessionPrincipal },
  { password, purpose, secondFactor: answer }: FactorProof & { password: string },
): Promise<VerifiedAccount> {
  const { session, sender, cookies, publicUrl } = caller;
  const account = await deps.db
    .selectFrom('accounts')
    .select(['id', 'email', 'passwordHash', hasSecondFactor.as('hasSecondFactor')])
    .where('id', '=', session.accountId)
    .executeTakeFirst();
  if (!account) throw new ProblemError('credentials_invalid', wrongPassword);
  const { hasSecondFactor: asksFactor } = account;
  const tried = { email: emailKey(account.email), address: sender.ipAddress };
  const isRight = await deps.guard.checkSession(
    { ...tried, sessionId: session.sessionId, hasSecondFactor: asksFactor },
    (visitor) => deps.passwords.verify(() => account.passwordHash, password, visitor),
  );
  if (!isRight) {
    recordFailure(deps, { accountId: account.id, actor: 'session', sender });
    throw new ProblemError('credentials_invalid', wrongPassword);
  }
  if (asksFactor) {
    const device = findDevice(readDevices(cookies), account, deps.secrets);
    await deps.checkSecondFactor({
      account,
      attempt: { ...tried, device },
      purpose,
      answer,
      publicUrl,
      sender,
    });
  }
  const visitor = { address: sender.ipAddress, account: session.email, isKnown: true };
  return await renewHash(deps, account, { password, visitor });
}
