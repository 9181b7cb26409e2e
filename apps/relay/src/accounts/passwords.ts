import { ChangePasswordBody, ForgotPasswordBody, ResetPasswordBody } from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import type { Transaction } from 'kysely';
import { Type } from 'typebox';
import type { Announce } from '../credentials/credential-feed.ts';
import { createSecret, hashSecret, kindOfSecret } from '../credentials/secret.ts';
import { invalidFields } from '../problem.ts';
import { withVerifiedAccount } from './account-lock.ts';
import type { VerifiedAccount } from './account-lock.ts';
import { checkNewPassword, verifyPassword, wrongPassword } from './credentials-check.ts';
import type { AccountApp, AccountDeps } from './deps.ts';
import type { Sender } from '../records/sender.ts';
import { canonicalEmail, emailKey, findAccountEmail } from './email.ts';
import { rememberDevice } from './sign-in/known-devices.ts';
import { limitOf } from '../limits/limits.ts';
import { auditOf, senderOf } from '../records/sender.ts';
import type { SessionPrincipal } from './sessions.ts';

const resetLifetimeMs = 3_600_000;
const maxLiveResets = 3;

/** Ends the account's sessions but one, and says so to everybody in one event, however many there were. */
async function endOtherSessions(
  trx: Transaction<Tables>,
  announce: Announce,
  accountId: string,
  keep = '',
): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom('sessions')
    .where('accountId', '=', accountId)
    .where('id', '!=', keep)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return;
  announce({
    accountId,
    subject: 'account',
    subjectId: keep || accountId,
    change: 'sessions_ended',
  });
}

async function changePassword(
  deps: AccountDeps,
  session: SessionPrincipal,
  input: { currentPassword: string; newPassword: string; sender: Sender },
): Promise<VerifiedAccount> {
  const { sender } = input;
  const account = await verifyPassword(deps, session, { password: input.currentPassword, sender });
  await checkNewPassword(input.newPassword, session.email, 'newPassword');
  const visitor = { address: sender.ipAddress, account: session.email, isKnown: true };
  const passwordHash = await deps.passwords.hash(input.newPassword, visitor);
  await withVerifiedAccount(deps, { verified: account, detail: wrongPassword }, async (trx, announce) => {
    await trx.updateTable('accounts').set({ passwordHash }).where('id', '=', account.id).execute();
    await trx.deleteFrom('passwordResets').where('accountId', '=', account.id).execute();
    await endOtherSessions(trx, announce, account.id, session.sessionId);
    await deps.records.auditIn(trx, {
      accountId: account.id,
      event: 'password.changed',
      actor: 'session',
      ...auditOf(sender),
    });
  });
  return { id: account.id, passwordHash };
}

/** Mails a link that works once, within the hour. An address without an account gets nothing. */
async function sendReset(deps: AccountDeps, typed: string, sender: Sender, url: string): Promise<void> {
  const email = await findAccountEmail(deps.db, typed);
  const account = await deps.db
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', email ?? '')
    .executeTakeFirst();
  // An account of before may have an address that is none: its mail could reach somebody else.
  const to = canonicalEmail(email ?? '');
  if (!account || to === undefined) return;
  const now = deps.now();
  const secret = createSecret('passwordReset');
  const isSent = await deps.db.transaction().execute(async (trx) => {
    await trx.selectFrom('accounts').select('id').where('id', '=', account.id).forUpdate().execute();
    const live = await trx
      .selectFrom('passwordResets')
      .select('hash')
      .where('accountId', '=', account.id)
      .where('expiresAt', '>', new Date(now))
      .execute();
    if (live.length >= maxLiveResets) return false;
    await trx
      .insertInto('passwordResets')
      .values({ hash: secret.hash, accountId: account.id, expiresAt: new Date(now + resetLifetimeMs) })
      .execute();
    await deps.records.auditIn(trx, {
      accountId: account.id,
      event: 'password.reset_requested',
      ...auditOf(sender),
    });
    return true;
  });
  if (!isSent) return;
  await deps.sendMail({
    to,
    subject: 'Reset your Tabletop Relay password',
    text: [
      'Somebody, hopefully you, asked to reset the password of your Tabletop Relay account.',
      'This link works once, for an hour:',
      // After the #: it reaches no server, and so no log.
      `${url}/dashboard/reset-password#${secret.value}`,
      'If it was not you, nothing needs doing.',
    ].join('\n\n'),
  });
}

/**
 * A new password by a mailed link. The first such of an account whose address was never proven asks for
 * rotation: who registered it may hold its keys, and be somebody else.
 */
async function resetPassword(
  deps: AccountDeps,
  input: { token: string; password: string; sender: Sender },
): Promise<void> {
  const invalid = () => invalidFields([{ field: 'token', message: 'is unknown, used or expired' }]);
  if (kindOfSecret(input.token) !== 'passwordReset') throw invalid();
  const found = await deps.db
    .selectFrom('passwordResets')
    .innerJoin('accounts', 'accounts.id', 'passwordResets.accountId')
    .select(['accountId', 'email', 'expiresAt'])
    .where('hash', '=', hashSecret(input.token))
    .executeTakeFirst();
  if (!found || found.expiresAt.getTime() <= deps.now()) throw invalid();
  await checkNewPassword(input.password, found.email, 'password');
  // Who has the link is no stranger.
  const visitor = { address: input.sender.ipAddress, account: found.email, isKnown: true };
  const passwordHash = await deps.passwords.hash(input.password, visitor);
  await deps.feed.change(async (trx, announce) => {
    const account = await trx
      .selectFrom('accounts')
      .select(['id', 'emailProvenAt', 'rotationRequired'])
      .where('id', '=', found.accountId)
      .forUpdate()
      .executeTakeFirst();
    const used = await trx
      .deleteFrom('passwordResets')
      .where('hash', '=', hashSecret(input.token))
      .executeTakeFirst();
    if (!account || used.numDeletedRows === 0n) throw invalid();
    const wasNeverProven = account.emailProvenAt === null;
    await trx
      .updateTable('accounts')
      .set({
        passwordHash,
        emailProvenAt: account.emailProvenAt ?? new Date(deps.now()),
        rotationRequired: account.rotationRequired || wasNeverProven,
      })
      .where('id', '=', account.id)
      .execute();
    await trx.deleteFrom('passwordResets').where('accountId', '=', account.id).execute();
    await endOtherSessions(trx, announce, account.id);
    await deps.failures.clear(trx, emailKey(found.email));
    if (wasNeverProven) {
      announce({ accountId: account.id, subject: 'account', subjectId: account.id, change: 'blocked' });
    }
    await deps.records.auditIn(trx, {
      accountId: account.id,
      event: 'password.reset',
      ...auditOf(input.sender),
    });
  });
}

/** Forgotten passwords: no session. */
export function resetRoutes(app: AccountApp, deps: AccountDeps): void {
  app.post(
    '/auth/forgot-password',
    {
      schema: {
        summary: 'Ask for a link to set a new password',
        description: 'The answer is the same for every address.',
        body: ForgotPasswordBody,
        response: { 200: Type.Object({ message: Type.String() }) },
      },
      config: limitOf(deps.limits, 'forgotPassword'),
    },
    (request) => {
      const publicUrl = deps.publicUrlOf(request);
      // Not awaited: how long it takes would tell whether the address has an account.
      void sendReset(deps, request.body.email, senderOf(request), deps.mailUrl ?? publicUrl).catch(
        (error: unknown) => deps.log.error({ err: error }, 'a password reset was not mailed'),
      );
      return Promise.resolve({ message: 'If the address has an account, a link is on its way.' });
    },
  );

  app.post(
    '/auth/reset-password',
    {
      schema: {
        summary: 'Set a new password by a mailed link',
        body: ResetPasswordBody,
        response: { 200: Type.Object({}) },
      },
      config: { ...limitOf(deps.limits, 'resetPassword'), problems: ['overloaded'] },
    },
    async (request) => {
      await resetPassword(deps, { ...request.body, sender: senderOf(request) });
      return {};
    },
  );
}

export function changePasswordRoutes(app: AccountApp, deps: AccountDeps): void {
  app.post(
    '/auth/change-password',
    {
      schema: {
        summary: 'Change your password',
        description: 'Ends your other sessions.',
        body: ChangePasswordBody,
        response: { 200: Type.Object({}) },
      },
      config: { ...limitOf(deps.limits, 'changePassword'), problems: ['credentials_invalid', 'overloaded'] },
    },
    async (request, reply) => {
      const publicUrl = deps.publicUrlOf(request);
      const sender = senderOf(request);
      const account = await changePassword(deps, request.session, { ...request.body, sender });
      rememberDevice(request, reply, { publicUrl, account, secret: deps.secret });
      return {};
    },
  );
}
