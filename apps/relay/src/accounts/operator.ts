import type { Database } from '@tabletop-relay/database';
import type { Records } from '../records/records.ts';
import { findAccountEmail } from './mail/email.ts';

/** What the command line knows an account by. */
export interface NamedAccount {
  id: string;
  email: string;
}

/** Throws for an address without an account. */
export async function findAccount(db: Database, email: string): Promise<NamedAccount> {
  const account = await db
    .selectFrom('accounts')
    .select(['id', 'email'])
    .where('email', '=', (await findAccountEmail(db, email)) ?? '')
    .executeTakeFirst();
  if (!account) throw new Error(`no account has the address ${email}`);
  return account;
}

/** The addresses of these accounts. One that was deleted meanwhile has none. */
export async function emailsOf(
  db: Database,
  accountIds: Iterable<string | null>,
): Promise<Map<string | null, string>> {
  const ids = [...new Set(accountIds)].filter((id) => id !== null);
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('accounts').select(['id', 'email']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, email }) => [id, email]));
}

/** The account's next request to `/admin` is answered by it: each reads whose session it is from Postgres. */
export async function setAdministrator(
  { db, records }: { db: Database; records: Pick<Records, 'auditIn'> },
  accountId: string,
  isAdministrator: boolean,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.updateTable('accounts').set({ isAdministrator }).where('id', '=', accountId).execute();
    await records.auditIn(trx, {
      accountId,
      event: isAdministrator ? 'account.made_administrator' : 'account.removed_administrator',
      actor: 'operator',
      subjectId: accountId,
    });
  });
}
