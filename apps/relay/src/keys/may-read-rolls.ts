import type { Scope } from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { reachedBy } from '../worlds/acting-users.ts';
import { readTogether } from '../read-together.ts';

/**
 * Whether a key of the account may ask this world for its rolls. The master key does not count, because every account has
 * one. Rejects while Postgres is away.
 */
export type MayReadRolls = (world: { accountId: string; clientId: string }) => Promise<boolean>;

const scope: Scope = 'roll:read';

export function createMayReadRolls(db: Kysely<Tables>): MayReadRolls {
  const read = readTogether((accountIds) => readBoundClients(db, accountIds));
  return async ({ accountId, clientId }) => {
    const ofKeys = (await read(accountId)) ?? [];
    return ofKeys.some((clientIds) => clientIds === null || clientIds.includes(clientId));
  };
}

/** By account: the worlds that each of its keys with the scope is bound to; null for a key that reaches all. */
async function readBoundClients(
  db: Kysely<Tables>,
  accountIds: readonly string[],
): Promise<Map<string, (string[] | null)[]>> {
  const rows = await db
    .selectFrom('apiKeys')
    .select(['accountId', reachedBy<string[] | null>('client_ids').as('clientIds')])
    .where('accountId', '=', sql<string>`any(${[...new Set(accountIds)]}::text[])`)
    .where(sql<boolean>`${scope} = any(scopes)`)
    .where((or) => or.or([or('expiresAt', 'is', null), or('expiresAt', '>', sql<Date>`now()`)]))
    .execute();
  const byAccount = Map.groupBy(rows, ({ accountId }) => accountId);
  return new Map([...byAccount].map(([id, ofAccount]) => [id, ofAccount.map(({ clientIds }) => clientIds)]));
}
