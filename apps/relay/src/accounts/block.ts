import { sql } from 'kysely';

export type Blocked = 'account_disabled' | 'rotation_required';

/** The reason why an account's API access is blocked, as a column of a query on accounts; null while it is not. */
export const blocked = sql<Blocked | null>`case
  when accounts.disabled_at is not null then 'account_disabled'
  when accounts.rotation_required then 'rotation_required' end`;

/** That reason, for the account that a column names, such as the owner of a key. */
export const blockedBy = (accountId: string) =>
  sql<Blocked | null>`(select ${blocked} from accounts where accounts.id = ${sql.ref(accountId)})`;
