import type { Database } from '@tabletop-relay/database';
import type { CredentialFeed } from '../../credentials/changes/credential-feed.ts';
import type { Passwords } from '../../credentials/passwords/password.ts';
import { hashSecret, kindOfSecret } from '../../credentials/secret.ts';
import type { Sender } from '../../endpoint-handler.ts';
import { invalidFields } from '../../problem.ts';
import type { Records } from '../../records/records.ts';
import { auditOf } from '../../records/sender.ts';
import { emailKey } from '../mail/email.ts';
import type { SignInFailures } from '../sign-in/sign-in-failures.ts';
import { endOtherSessions } from './end-other-sessions.ts';
import type { CheckNewPassword } from './password-rule.ts';

export interface ResetPasswordDeps {
  db: Database;
  feed: Pick<CredentialFeed, 'change'>;
  passwords: Passwords;
  checkNewPassword: CheckNewPassword;
  records: Pick<Records, 'auditIn'>;
  failures: Pick<SignInFailures, 'clear'>;
  now(): number;
}

/**
 * Sets a new password by a mailed link. If the account's address was never proven before, its master key must be
 * rotated: the person who registered the account may be somebody else, and may hold its keys.
 */
export async function resetPassword(
  deps: ResetPasswordDeps,
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
  await deps.checkNewPassword(input.password, found.email, 'password');
  // The link proves who this is: the hashing does not wait behind strangers.
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
