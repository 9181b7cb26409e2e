import type { Endpoints, signInEndpoints } from '@tabletop-relay/contract';
import { newId } from '@tabletop-relay/database';
import { isLoopbackHost } from '@tabletop-relay/process';
import { Type } from 'typebox';
import { createSecret } from '../../credentials/secret.ts';
import { serve } from '../../endpoint-handler.ts';
import type { Caller, HandlersOf, Sender, ServedEndpoint } from '../../endpoint-handler.ts';
import type { AccountLimits } from '../../limits/limits.ts';
import { ProblemError } from '../../problem.ts';
import type { Records } from '../../records/records.ts';
import { auditOf } from '../../records/sender.ts';
import { withVerifiedAccount } from '../account-lock.ts';
import type { LockDeps, VerifiedAccount } from '../account-lock.ts';
import { checkCredentials, wrongCredentials } from '../credentials-check.ts';
import type { CredentialDeps, Credentials } from '../credentials-check.ts';
import { greetNewAccount } from '../mail/confirm-email.ts';
import type { ConfirmEmailDeps } from '../mail/confirm-email.ts';
import { findAccountEmail, readEmail } from '../mail/email.ts';
import type { CheckNewPassword } from '../passwords/password-rule.ts';
import { createSession } from '../sessions/create-session.ts';
import type { CreateSessionDeps, NewSession } from '../sessions/create-session.ts';
import { endSession } from '../sessions/end-session.ts';
import { clearSessionCookie, sessionCookie, setSessionCookie } from '../sessions/session-cookie.ts';
import { hasSecondFactor } from '../second-factors/factors.ts';
import { readDevices, rememberDevice } from './known-devices.ts';
import type { SignInLinks } from './sign-in-link.ts';

export interface SignInDeps extends CredentialDeps, LockDeps, CreateSessionDeps, ConfirmEmailDeps {
  records: Pick<Records, 'audit' | 'auditIn'>;
  registration: 'open' | 'closed';
  checkNewPassword: CheckNewPassword;
  limits: Pick<AccountLimits, 'login'>;
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
  deps: CreateSessionDeps & Pick<SignInDeps, 'db' | 'feed' | 'passwords' | 'checkNewPassword'>,
  input: Pick<Credentials, 'email' | 'password' | 'sender'> & { heldToken?: string },
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
    return await createSession(deps, { trx, announce }, { ...input, accountId });
  });
  const account = { id: accountId, email, passwordHash, hasSecondFactor: false };
  return { account, masterKey: masterKey.value, session };
}

async function login(
  deps: CreateSessionDeps & LockDeps & CredentialDeps,
  input: Credentials & { heldToken: string },
) {
  const account = await checkCredentials(deps, input);
  const session = await startSession(deps, account, input);
  return { account, session };
}

/** Signs in to an account that was proven, as it was when it was proven. */
async function startSession(
  deps: CreateSessionDeps & LockDeps,
  account: VerifiedAccount,
  { sender, heldToken }: { sender: Sender; heldToken: string },
): Promise<NewSession> {
  const check = { verified: account, detail: wrongCredentials };
  return await withVerifiedAccount(deps, check, async (trx, announce) => {
    const made = await createSession(deps, { trx, announce }, { accountId: account.id, sender, heldToken });
    await deps.records.auditIn(trx, {
      accountId: account.id,
      event: 'session.started',
      subjectId: made.sessionId,
      ...auditOf(sender),
    });
    return made;
  });
}

/**
 * Not of the published API: an instance that one person started on a machine for themselves has it, and no other. It lets in who read what
 * the start printed there.
 */
const linkEndpoints = {
  useSignInLink: {
    method: 'POST',
    path: '/auth/sign-in-link',
    summary: 'Sign in by the link that a start printed',
    auth: 'none',
    origin: 'same',
    limit: 'login',
    body: Type.Object({ secret: Type.String({ maxLength: 100 }) }, { additionalProperties: false }),
    answer: Type.Object({}),
    problems: ['credentials_invalid'],
  },
} as const satisfies Endpoints;

const linkEnded = 'This link does not work any more. Sign in with the password.';

/** A link opens this machine’s own browser alone: both its address and the name that it called are loopback. */
const isHere = ({ sender, publicUrl }: Pick<Caller, 'sender' | 'publicUrl'>): boolean =>
  isLoopbackHost(sender.ipAddress.replace(/^::ffff:/, '')) && isLoopbackHost(new URL(publicUrl).hostname);

/** Serves sign-in links. An account that has a second factor by now is not opened by one. */
export const serveSignInLinks = (deps: SignInDeps, links: SignInLinks): ServedEndpoint[] =>
  serve(linkEndpoints, {
    async useSignInLink({ body: { secret } }, caller) {
      const { sender, cookies } = caller;
      const accountId = isHere(caller) ? links.take(secret) : undefined;
      const account =
        accountId === undefined
          ? undefined
          : await deps.db
              .selectFrom('accounts')
              .select(['id', 'email', 'passwordHash'])
              .select(hasSecondFactor.as('hasSecondFactor'))
              .where('id', '=', accountId)
              .executeTakeFirst();
      if (!account || account.hasSecondFactor) throw new ProblemError('credentials_invalid', linkEnded);
      const session = await startSession(deps, account, { sender, heldToken: cookies.read(sessionCookie) });
      setSessionCookie(cookies, session);
      rememberDevice(cookies, { account, secrets: deps.secrets });
      return {};
    },
  });

export const signInHandlers = (deps: SignInDeps): HandlersOf<typeof signInEndpoints> => ({
  async register({ body }, { sender, cookies, publicUrl }) {
    if (deps.registration === 'closed') throw new ProblemError('registration_closed');
    const { account, masterKey, session } = await register(deps, {
      ...body,
      sender,
      heldToken: cookies.read(sessionCookie),
    });
    setSessionCookie(cookies, session);
    rememberDevice(cookies, { account, secrets: deps.secrets });
    await greetNewAccount(deps, {
      accountId: account.id,
      email: account.email,
      url: deps.mailUrl ?? publicUrl,
    });
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
      heldToken: cookies.read(sessionCookie),
    });
    setSessionCookie(cookies, session);
    rememberDevice(cookies, { account, secrets: deps.secrets });
    return {
      account: { id: account.id, email: account.email },
      sessionToken: session.token,
      expiresAt: session.expiresAt.toISOString(),
      rotationRequired: account.rotationRequired,
    };
  },

  async logout(_input, { session: { accountId, sessionId }, sender, cookies }) {
    const record = { event: 'session.ended', ...auditOf(sender) } as const;
    await endSession(deps, { accountId, sessionId, record });
    clearSessionCookie(cookies);
    return {};
  },
});
