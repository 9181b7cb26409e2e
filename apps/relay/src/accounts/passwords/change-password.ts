import type { Database } from '@tabletop-relay/database';
import type { Passwords } from '../../credentials/passwords/password.ts';
import type { Sender, SessionPrincipal } from '../../endpoint-handler.ts';
import type { Records } from '../../records/records.ts';
import { auditOf } from '../../records/sender.ts';
import { withVerifiedAccount } from '../account-lock.ts';
import type { LockDeps, VerifiedAccount } from '../account-lock.ts';
import { checkNewPassword, verifyPassword, wrongPassword } from '../credentials-check.ts';
import { endOtherSessions } from './end-other-sessions.ts';

export interface ChangePasswordDeps extends LockDeps {
  db: Database;
  passwords: Passwords;
  records: Pick<Records, 'auditIn'>;
}

/** Changes the password of a signed-in person, and ends the account's other sessions. Throws `credentials_invalid`. */
export async function changePassword(
  deps: ChangePasswordDeps,
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
