import { isEmailValid } from '@hapi/address';
import type { Database } from '@tabletop-relay/database';
import { domainToASCII } from 'node:url';
import { invalidFields } from '../../problem.ts';
import { hasHiddenCharacters } from '../../records/plain-text.ts';

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

/** The address that an account has, of those that a person may mean by what was typed. */
export async function findAccountEmail(db: Database, typed: string): Promise<string | undefined> {
  const former = formerEmail(typed);
  const accounts = await db
    .selectFrom('accounts')
    .select('email')
    .where('email', 'in', [former, canonicalEmail(typed) ?? former])
    .execute();
  // The older account first: who registers the other form later must not stand before it.
  return accounts.find(({ email }) => email === former)?.email ?? accounts[0]?.email;
}
