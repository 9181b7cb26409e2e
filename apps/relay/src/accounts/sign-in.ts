import { LoginAnswer, LoginBody, RegisterAnswer, RegisterBody } from '@tabletop-relay/contract';
import { newId } from '../auth/id.ts';
import { createSecret } from '../auth/secret.ts';
import { ProblemError } from '../http/problem.ts';
import { checkCredentials, checkNewPassword, normalizeEmail } from './credentials-check.ts';
import type { AccountApp, AccountDeps, Sender } from './deps.ts';
import { limitOf } from './limits.ts';
import { auditOf, senderOf } from './sender.ts';
import { createSession, setSessionCookie } from './sessions.ts';
import type { NewSession } from './sessions.ts';

interface Credentials {
  email: string;
  password: string;
  sender: Sender;
}

interface Registered {
  account: { id: string; email: string };
  /** The only time but rotation that it is shown. */
  masterKey: string;
  session: NewSession;
}

/** Throws `conflict` for an address that is taken. Ignores whether registration is open: that is the route's. */
export async function register(
  deps: Pick<AccountDeps, 'db' | 'passwords' | 'records' | 'now'>,
  input: Credentials,
): Promise<Registered> {
  const email = normalizeEmail(input.email);
  await checkNewPassword(input.password, email, 'password');
  const passwordHash = await deps.passwords.hash(input.password);
  const masterKey = createSecret('masterKey');
  const accountId = newId(deps.now());
  const session = await deps.db.transaction().execute(async (trx) => {
    const inserted = await trx
      .insertInto('accounts')
      .values({
        id: accountId,
        email,
        password_hash: passwordHash,
        master_key_hash: masterKey.hash,
        master_key_hint: masterKey.hint,
      })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!inserted) throw new ProblemError('conflict', 'This e-mail address has an account already.');
    return await createSession(trx, { accountId, sender: input.sender, now: deps.now() });
  });
  deps.records.audit({
    account_id: accountId,
    event: 'account.registered',
    subject_id: accountId,
    ...auditOf(input.sender),
  });
  return { account: { id: accountId, email }, masterKey: masterKey.value, session };
}

async function login(
  deps: Pick<AccountDeps, 'db' | 'passwords' | 'secret' | 'records' | 'now'>,
  input: Credentials,
) {
  const account = await checkCredentials(deps, input);
  const session = await createSession(deps.db, {
    accountId: account.id,
    sender: input.sender,
    now: deps.now(),
  });
  deps.records.audit({
    account_id: account.id,
    event: 'session.started',
    subject_id: session.sessionId,
    ...auditOf(input.sender),
  });
  return {
    account: { id: account.id, email: account.email },
    session,
    rotationRequired: account.rotation_required,
  };
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
      return {
        account: made.account,
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
      config: { ...limitOf(deps.limits, 'login'), problems: ['credentials_invalid', 'overloaded'] },
    },
    async (request, reply) => {
      const publicUrl = deps.publicUrlOf(request);
      const { account, session, rotationRequired } = await login(deps, {
        ...request.body,
        sender: senderOf(request),
      });
      setSessionCookie(reply, publicUrl, session);
      return {
        account,
        sessionToken: session.token,
        expiresAt: session.expiresAt.toISOString(),
        rotationRequired,
      };
    },
  );
}
