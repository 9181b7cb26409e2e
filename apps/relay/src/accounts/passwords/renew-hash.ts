import type { Database } from '@tabletop-relay/database';
import { isFormerForm } from '../../credentials/passwords/password.ts';
import type { PasswordVisitor, Passwords } from '../../credentials/passwords/password.ts';
import type { VerifiedAccount } from '../account-lock.ts';

/**
 * Replaces the hash of a password that was right in the form in which earlier releases hashed it by one of the password as
 * typed. Resolves with the account and the hash that it has now. If the password was changed since it was verified, the
 * account comes back as it was, and what is done with it fails as for a wrong password.
 */
export async function renewHash<A extends VerifiedAccount>(
  { db, passwords }: { db: Database; passwords: Passwords },
  account: A,
  { password, visitor }: { password: string; visitor: PasswordVisitor },
): Promise<A> {
  if (!isFormerForm(account.passwordHash, password)) return account;
  const passwordHash = await passwords.hash(password, visitor);
  const { numUpdatedRows } = await db
    .updateTable('accounts')
    .set({ passwordHash })
    .where('id', '=', account.id)
    .where('passwordHash', '=', account.passwordHash)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return { ...account, passwordHash };
  // Another request of the same person may have replaced it first.
  const now = await db
    .selectFrom('accounts')
    .select('passwordHash')
    .where('id', '=', account.id)
    .executeTakeFirst();
  const isSame = now !== undefined && (await passwords.verify(() => now.passwordHash, password, visitor));
  return isSame ? { ...account, ...now } : account;
}
