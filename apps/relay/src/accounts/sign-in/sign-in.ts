import type { signInEndpoints } from '@tabletop-relay/contract';
import { newId } from '../../credentials/id.ts';
import { createSecret } from '../../credentials/secret.ts';
import type { HandlersOf, Sender } from '../../endpoint-handler.ts';
import type { AccountLimits } from '../../limits/limits.ts';
import { ProblemError } from '../../problem.ts';
import type { Records } from '../../records/records.ts';
import { auditOf } from '../../records/sender.ts';
import { withVerifiedAccount } from '../account-lock.ts';
import type { LockDeps, VerifiedAccount } from '../account-lock.ts';
import { checkCredentials, wrongCredentials } from '../credentials-check.ts';
import type { CredentialDeps, Credentials } from '../credentials-check.ts';
import { findAccountEmail, readEmail } from '../mail/email.ts';
import type { CheckNewPassword } from '../passwords/password-rule.ts';
import { clearSessionCookie, createSession, endSession, setSessionCookie } from '../sessions.ts';
import type { NewSession } from '../sessions.ts';
import { readDevices, rememberDevice } from './known-devices.ts';

export interface SignInDeps extends CredentialDeps, LockDeps {
  records: Pick<Records, 'audit' | 'auditIn'>;
  registration: 'open' | 'closed';
  checkNewPassword: CheckNewPassword;
  bounds: { maxSessionsPerAccount: number };
  limits: Pick<AccountLimits, 'login'>;
  now(): number;
}

const taken = 'This e-mail address has an account already.';

interface Registered {
  account: VerifiedAccount & { email: string };
  /** It is shown here and at rotation, and never again. */
  masterKey: string;
  session: NewSession;
}

/** Opens an account, even where registration is closed: the endpoint checks that. Throws `conflict` for an address that is taken. */
export async function register(
  deps: Pick<SignInDeps, 'db' | 'feed' | 'passwords' | 'checkNewPassword' | 'records' | 'bounds' | 'now'>,
  input: Pick<Credentials, 'email' | 'password' | 'sender'>,
): Promise<Registered> {
  const email = readEmail(input.email);
  await deps.checkNewPassword(input.password, email, 'password');
  const visitor = { address: input.sender.ipAddress, account: email, isKnown: false };
  const passwordHash = await deps.passwords.hash(input.password, visitor);
  if (await findAccountEmail(deps.db, input.email)) throw new ProblemError('conflict', taken);
  const masterKey = createSecret('masterKey');
  const accountId = newId(deps.now());
  const session = await deps.feed.change(async (trx, announce) => {
    const inserted = await trx
      .insertInto('accounts')
      .values({
        id: accountId,
        email,
        passwordHash,
        masterKeyHash: masterKey.hash,
        masterKeyHint: masterKey.hint,
      })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!inserted) throw new ProblemError('conflict', taken);
    await deps.records.auditIn(trx, {
      accountId,
      event: 'account.registered',
      subjectId: accountId,
      ...auditOf(input.sender),
    });
    return await createSession(trx, announce, {
      accountId,
      sender: input.sender,
      now: deps.now(),
      maxSessions: deps.bounds.maxSessionsPerAccount,
    });
  });
  const account = { id: accountId, email, passwordHash, hasSecondFactor: false };
  return { account, masterKey: masterKey.value, session };
}

async function login(deps: Omit<SignInDeps, 'registration' | 'limits'>, input: Credentials) {
  const account = await checkCredentials(deps, input);
  const session = await startSession(deps, account, input.sender);
  return { account, session };
}

async function startSession(
  deps: Pick<SignInDeps, 'feed' | 'inTurn' | 'records' | 'bounds' | 'now'>,
  account: VerifiedAccount,
  sender: Sender,
): Promise<NewSession> {
  const check = { verified: account, detail: wrongCredentials };
  return await withVerifiedAccount(deps, check, async (trx, announce) => {
    const made = await createSession(trx, announce, {
      accountId: account.id,
      sender,
      now: deps.now(),
      maxSessions: deps.bounds.maxSessionsPerAccount,
    });
    await deps.records.auditIn(trx, {
      accountId: account.id,
      event: 'session.started',
      subjectId: made.sessionId,
      ...auditOf(sender),
    });
    return made;
  });
}

export const signInHandlers = (deps: SignInDeps): HandlersOf<typeof signInEndpoints> => ({
  async register({ body }, { sender, cookies }) {
    if (deps.registration === 'closed') throw new ProblemError('registration_closed');
    const { account, masterKey, session } = await register(deps, { ...body, sender });
    setSessionCookie(cookies, session);
    rememberDevice(cookies, { account, secret: deps.secret });
    return {
      account: { id: account.id, email: account.email },
      masterKey,
      sessionToken: session.token,
      expiresAt: session.expiresAt.toISOString(),
    };
  },

  async login({ body }, { sender, cookies, publicUrl }) {
    const { account, session } = await login(deps, {
      ...body,
      purpose: 'login',
      sender,
      publicUrl,
      devices: readDevices(cookies),
      perAddress: deps.limits.login,
    });
    setSessionCookie(cookies, session);
    rememberDevice(cookies, { account, secret: deps.secret });
    return {
      account: { id: account.id, email: account.email },
      sessionToken: session.token,
      expiresAt: session.expiresAt.toISOString(),
      rotationRequired: account.rotationRequired,
    };
  },

  async logout(_input, { session: { accountId, sessionId }, sender, cookies }) {
    await endSession(deps, { accountId, sessionId, event: 'session.ended', sender });
    clearSessionCookie(cookies);
    return {};
  },
});
