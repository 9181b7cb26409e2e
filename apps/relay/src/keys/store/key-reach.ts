import type { Scope } from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { reachedBy } from '../../worlds/acting-users.ts';

/**
 * The worlds that a scoped key may reach as Postgres has it now; null: all of its account. Undefined where the key may not
 * use the scope: it was revoked, has expired or lost the scope.
 */
export async function readKeyReach(
  db: Kysely<Tables>,
  { accountId, keyId, scope }: { accountId: string; keyId: string; scope: Scope },
): Promise<{ clientIds: readonly string[] | null } | undefined> {
  return await db
    .selectFrom('apiKeys')
    .select(reachedBy<string[] | null>('client_ids').as('clientIds'))
    .where('id', '=', keyId)
    .where('accountId', '=', accountId)
    .where(sql<boolean>`${scope} = any(scopes)`)
    .where((or) => or.or([or('expiresAt', 'is', null), or('expiresAt', '>', sql<Date>`now()`)]))
    .executeTakeFirst();
}
