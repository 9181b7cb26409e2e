import { isEmailValid } from '@hapi/address';
import type { Database } from '@tabletop-relay/database';
import { hasHiddenCharacters } from '@tabletop-relay/kit';
import { domainToASCII } from 'node:url';
import { invalidFields } from '../../problem.ts';

/**
 * The one form of an e-mail address: NFC, lower case, the domain in ASCII. Undefined for what is no single address: a
 * mail program could read another person's address in it, who would get the mails of this account.
 */
export function canonicalEmail(typed: string): string | undefined {
  const text = typed.trim().toLowerCase().normalize('NFC');
  const at = text.lastIndexOf('@');
  const email = `${text.slice(0, Math.max(0, at))}@${domainToASCII(text.slice(at + 1))}`;
  // A domain of one part is allowed, for `demo@localhost`.
  const isOne = !hasHiddenCharacters(text) && isEmailValid(email, { minDomainSegments: 1 });
  return isOne ? email : undefined;
}

/** For a new account: throws `invalid_request` for what is no e-mail address. */
export function readEmail(typed: string): string {
  const email = canonicalEmail(typed);
  if (email === undefined)
    throw invalidFields([{ field: 'email', message: 'must be one plain address, like name@example.org' }]);
  return email;
}

/** The form in which accounts were kept before there was a canonical one. */
const formerEmail = (typed: string) => typed.trim().toLowerCase();

/** The name under which counts of an address are kept, whether an account has the address or nobody. */
export const emailKey = (typed: string) => canonicalEmail(typed) ?? formerEmail(typed);

/** The addresses that a person may mean by what was typed. More than one may have an account. */
export function meantEmails(typed: string): string[] {
  const former = formerEmail(typed);
  return [former, canonicalEmail(typed) ?? former];
}

/** The account that is meant, of those that have one of the meant addresses. */
export function meantAccount<T extends { email: string }>(
  accounts: readonly T[],
  typed: string,
): T | undefined {
  const former = formerEmail(typed);
  // The older account first: who registers the other form later must not stand before it.
  return accounts.find(({ email }) => email === former) ?? accounts[0];
}

/** The address of the account that is meant. */
export async function findAccountEmail(db: Database, typed: string): Promise<string | undefined> {
  const accounts = await db
    .selectFrom('accounts')
    .select('email')
    .where('email', 'in', meantEmails(typed))
    .execute();
  return meantAccount(accounts, typed)?.email;
}
