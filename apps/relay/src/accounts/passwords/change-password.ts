import type { InputOf, passwordEndpoints } from '@tabletop-relay/contract';
import type { Caller, SessionPrincipal } from '../../endpoint-handler.ts';
import type { Records } from '../../records/records.ts';
import { auditOf } from '../../records/sender.ts';
import { withVerifiedAccount } from '../account-lock.ts';
import type { LockDeps, VerifiedAccount } from '../account-lock.ts';
import { verifyPassword, wrongPassword } from '../credentials-check.ts';
import type { VerifyPasswordDeps } from '../credentials-check.ts';
import { endOtherSessions } from './end-other-sessions.ts';
import type { CheckNewPassword } from './password-rule.ts';

export interface ChangePasswordDeps extends LockDeps, VerifyPasswordDeps {
  checkNewPassword: CheckNewPassword;
  records: Pick<Records, 'audit' | 'auditIn'>;
}

/** Changes the password of a signed-in person, and ends the account's other sessions. Throws `credentials_invalid`. */
export async function changePassword(
  deps: ChangePasswordDeps,
  caller: Caller & { session: SessionPrincipal },
  input: InputOf<typeof passwordEndpoints.changePassword>['body'],
): Promise<VerifiedAccount> {
  const { session, sender } = caller;
  // Before the second factor is used up.
  await deps.checkNewPassword(input.newPassword, session.email, 'newPassword');
  const account = await verifyPassword(deps, caller, {
    password: input.currentPassword,
    secondFactor: input.secondFactor,
    purpose: 'changePassword',
  });
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
  return { ...account, passwordHash };
}
