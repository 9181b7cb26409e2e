import type { Tables } from '@tabletop-relay/database';
import type { Kysely } from 'kysely';
import { blocked } from './block.ts';
import type { Blocked } from './block.ts';

/** The account that the master key with this hash opens. */
export async function findMasterKey(
  db: Kysely<Tables>,
  hash: Buffer,
): Promise<{ accountId: string; blocked: Blocked | null } | undefined> {
  return await db
    .selectFrom('accounts')
    .select(['id as accountId', blocked.as('blocked')])
    .where('masterKeyHash', '=', hash)
    .executeTakeFirst();
}

/** The hashes of all master keys that were ever used, each with its last use, as a query. */
export const usesOfMasterKeys = (db: Kysely<Tables>) =>
  db
    .selectFrom('accounts')
    .select(['masterKeyHash as hash', 'masterKeyLastUsedAt as used'])
    .where('masterKeyLastUsedAt', 'is not', null)
    .$narrowType<{ hash: Buffer }>();
