import { LoginAnswer, LoginBody, RegisterAnswer, RegisterBody } from '@tabletop-relay/contract';
import { newId } from '../../credentials/id.ts';
import { createSecret } from '../../credentials/secret.ts';
import { ProblemError } from '../../problem.ts';
import { withVerifiedAccount } from '../account-lock.ts';
import type { VerifiedAccount } from '../account-lock.ts';
import { checkCredentials, wrongCredentials, checkNewPassword } from '../credentials-check.ts';
import type { Credentials } from '../credentials-check.ts';
import type { AccountApp, AccountDeps } from '../deps.ts';
import type { Sender } from '../../records/sender.ts';
import { findAccountEmail, readEmail } from '../email.ts';
import { readDevices, rememberDevice } from './known-devices.ts';
import { limitOf } from '../../limits/limits.ts';
import { auditOf, senderOf } from '../../records/sender.ts';
import { createSession, setSessionCookie } from '../sessions.ts';
import type { NewSession } from '../sessions.ts';

const taken = 'This e-mail address has an account already.';

interface Registered {
  account: VerifiedAccount & { email: string };
  /** The only time but rotation that it is shown. */
  masterKey: string;
  session: NewSession;
}

/** Throws `conflict` for an address that is taken. Ignores whether registration is open: that is the route's. */
export async function register(
  deps: Pick<AccountDeps, 'db' | 'feed' | 'passwords' | 'records' | 'bounds' | 'now'>,
  input: Pick<Credentials, 'email' | 'password' | 'sender'>,
): Promise<Registered> {
  const email = readEmail(input.email);
  await checkNewPassword(input.password, email, 'password');
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
  return { account: { id: accountId, email, passwordHash }, masterKey: masterKey.value, session };
}

async function login(
  deps: Pick<
    AccountDeps,
    'db' | 'feed' | 'inTurn' | 'passwords' | 'guard' | 'secret' | 'records' | 'bounds' | 'now'
  >,
  input: Credentials,
) {
  const account = await checkCredentials(deps, input);
  const session = await startSession(deps, account, input.sender);
  return { account, session };
}

async function startSession(
  deps: Pick<AccountDeps, 'feed' | 'inTurn' | 'records' | 'bounds' | 'now'>,
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

export function signInRoutes(app: AccountApp, deps: AccountDeps): void {
  app.post(
    '/auth/register',
    {
      schema: { summary: 'Open an account', body: RegisterBody, response: { 200: RegisterAnswer } },
      config: {
        ...limitOf(deps.limits, 'register'),
        problems: ['registration_closed', 'conflict', 'overloaded'],
      },
    },
    async (request, reply) => {
      const publicUrl = deps.publicUrlOf(request);
      if (deps.registration === 'closed') throw new ProblemError('registration_closed');
      const made = await register(deps, { ...request.body, sender: senderOf(request) });
      setSessionCookie(reply, publicUrl, made.session);
      rememberDevice(request, reply, { publicUrl, account: made.account, secret: deps.secret });
      return {
        account: { id: made.account.id, email: made.account.email },
        masterKey: made.masterKey,
        sessionToken: made.session.token,
        expiresAt: made.session.expiresAt.toISOString(),
      };
    },
  );

  app.post(
    '/auth/login',
    {
      schema: { summary: 'Sign in', body: LoginBody, response: { 200: LoginAnswer } },
      config: { problems: ['credentials_invalid', 'rate_limited', 'overloaded'] },
    },
    async (request, reply) => {
      const publicUrl = deps.publicUrlOf(request);
      const { account, session } = await login(deps, {
        ...request.body,
        sender: senderOf(request),
        devices: readDevices(request, publicUrl),
        perAddress: deps.limits.login,
      });
      setSessionCookie(reply, publicUrl, session);
      rememberDevice(request, reply, { publicUrl, account, secret: deps.secret });
      return {
        account: { id: account.id, email: account.email },
        sessionToken: session.token,
        expiresAt: session.expiresAt.toISOString(),
        rotationRequired: account.rotationRequired,
      };
    },
  );
}
