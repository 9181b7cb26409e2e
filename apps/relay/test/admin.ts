import { accountParts } from '../src/account-parts.ts';
import type { AdminDeps } from '../src/admin/command.ts';
import type { TestInstances } from './instances.ts';

/** What commands of `pnpm admin` run on, in this process. */
export function adminDeps(
  { db, databaseUrl }: Pick<TestInstances, 'db' | 'databaseUrl'>,
  records: AdminDeps['records'],
  secrets?: AdminDeps['secrets'],
): AdminDeps {
  const { counts } = accountParts;
  return {
    db,
    records,
    counts,
    secrets,
    jobs: { databaseUrl },
    findOnline: undefined,
    onStoreAway: () => {},
  };
}
