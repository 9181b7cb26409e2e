import { ChangePasswordBody, ForgotPasswordBody, ResetPasswordBody } from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import type { Transaction } from 'kysely';
import { Type } from 'typebox';
import type { Announce } from '../auth/credential-feed.ts';
import { createSecret, hashSecret, kindOfSecret } from '../auth/secret.ts';
import { ProblemError, invalidFields } from '../http/problem.ts';
import { checkNewPassword, normalizeEmail } from './credentials-check.ts';
import type { AccountApp, AccountDeps, Sender } from './deps.ts';
import { limitOf } from './limits.ts';
import { auditOf, senderOf } from './sender.ts';
import type { SessionPrincipal } from './sessions.ts';

const resetLifetimeMs = 3_600_000;
const maxLiveResets = 3;

/** Ends the account's sessions but one, and says so to everybody. */
async function endOtherSessions(
  trx: Transaction<Tables>,
  announce: Announce,
  accountId: string,
  keep = '',
): Promise<void> {
  const ended = await trx
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .where('id', '!=', keep)
    .returning('id')
    .execute();
  for (const { id } of ended) {
    announce({ account_id: accountId, subject: 'session', subject_id: id, change: 'revoked' });
  }
}

async function changePassword(
  deps: AccountDeps,
  session: SessionPrincipal,
  input: { currentPassword: string; newPassword: string; sender: Sender },
): Promise<void> {
  const account = await deps.db
    .selectFrom('accounts')
    .select('password_hash')
    .where('id', '=', session.accountId)
    .executeTakeFirst();
  if (!(await deps.passwords.verify(account?.password_hash, input.currentPassword))) {
    throw new ProblemError('credentials_invalid', 'The current password is wrong.');
  }
  await checkNewPassword(input.newPassword, session.email, 'newPassword');
  const passwordHash = await deps.passwords.hash(input.newPassword);
  await deps.feed.change(async (trx, announce) => {
    await trx
      .updateTable('accounts')
      .set({ password_hash: passwordHash })
      .where('id', '=', session.accountId)
      .execute();
    await trx.deleteFrom('password_resets').where('account_id', '=', session.accountId).execute();
    await endOtherSessions(trx, announce, session.accountId, session.sessionId);
  });
  deps.records.audit({
    account_id: session.accountId,
    event: 'password.changed',
    actor: 'session',
    ...auditOf(input.sender),
  });
}

/** Mails a link that works once, within the hour. An address without an account gets nothing. */
async function sendReset(deps: AccountDeps, email: string, sender: Sender, url: string): Promise<void> {
  const account = await deps.db
    .selectFrom('accounts')
    .select(['id', 'email'])
    .where('email', '=', normalizeEmail(email))
    .executeTakeFirst();
  if (!account) return;
  const now = deps.now();
  const secret = createSecret('passwordReset');
  const isSent = await deps.db.transaction().execute(async (trx) => {
    await trx.selectFrom('accounts').select('id').where('id', '=', account.id).forUpdate().execute();
    const live = await trx
      .selectFrom('password_resets')
      .select('hash')
      .where('account_id', '=', account.id)
      .where('expires_at', '>', new Date(now))
      .execute();
    if (live.length >= maxLiveResets) return false;
    await trx
      .insertInto('password_resets')
      .values({ hash: secret.hash, account_id: account.id, expires_at: new Date(now + resetLifetimeMs) })
      .execute();
    return true;
  });
  if (!isSent) return;
  deps.records.audit({ account_id: account.id, event: 'password.reset_requested', ...auditOf(sender) });
  await deps.sendMail({
    to: account.email,
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
    .selectFrom('password_resets')
    .innerJoin('accounts', 'accounts.id', 'password_resets.account_id')
    .select(['account_id', 'email', 'expires_at'])
    .where('hash', '=', hashSecret(input.token))
    .executeTakeFirst();
  if (!found || found.expires_at.getTime() <= deps.now()) throw invalid();
  await checkNewPassword(input.password, found.email, 'password');
  const passwordHash = await deps.passwords.hash(input.password);
  await deps.feed.change(async (trx, announce) => {
    const account = await trx
      .selectFrom('accounts')
      .select(['id', 'email_proven_at', 'rotation_required'])
      .where('id', '=', found.account_id)
      .forUpdate()
      .executeTakeFirst();
    const used = await trx
      .deleteFrom('password_resets')
      .where('hash', '=', hashSecret(input.token))
      .executeTakeFirst();
    if (!account || used.numDeletedRows === 0n) throw invalid();
    const wasNeverProven = account.email_proven_at === null;
    await trx
      .updateTable('accounts')
      .set({
        password_hash: passwordHash,
        email_proven_at: account.email_proven_at ?? new Date(deps.now()),
        rotation_required: account.rotation_required || wasNeverProven,
      })
      .where('id', '=', account.id)
      .execute();
    await trx.deleteFrom('password_resets').where('account_id', '=', account.id).execute();
    await endOtherSessions(trx, announce, account.id);
    if (wasNeverProven) {
      announce({ account_id: account.id, subject: 'account', subject_id: account.id, change: 'blocked' });
    }
  });
  deps.records.audit({ account_id: found.account_id, event: 'password.reset', ...auditOf(input.sender) });
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
    async (request) => {
      await changePassword(deps, request.session, { ...request.body, sender: senderOf(request) });
      return {};
    },
  );
}
