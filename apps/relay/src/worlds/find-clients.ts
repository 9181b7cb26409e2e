import type { Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Kysely, RawBuilder, Transaction } from 'kysely';
import { ProblemError } from '../problem.ts';

/** The ids of the account's worlds. */
export async function clientIdsOf(db: Kysely<Tables>, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('knownClients')
    .select('clientId')
    .where('accountId', '=', accountId)
    .execute();
  return rows.map((row) => row.clientId);
}

/** The account's world by this id, with the time of its last connection; undefined if the account has none. */
export async function findOwnClient(
  db: Kysely<Tables>,
  accountId: string,
  clientId: string,
): Promise<{ lastSeenAt: Date | null } | undefined> {
  if (!mayBeClientId(clientId)) return undefined;
  return await db
    .selectFrom('knownClients')
    .select('lastSeenAt')
    .where('clientId', '=', clientId)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
}

/** A world by its id, with the names that people know it by. */
export interface NamedClient {
  clientId: string;
  worldTitle: string;
  customName?: string;
}

/** The names of worlds, in the order of their ids. */
export async function namesOf(db: Kysely<Tables>, clientIds: readonly string[]): Promise<NamedClient[]> {
  const rows = await db
    .selectFrom('knownClients')
    .select(['clientId', 'worldTitle', 'customName', 'moduleCustomName'])
    .where('clientId', 'in', clientIds)
    .orderBy('clientId')
    .execute();
  return rows.map(({ clientId, worldTitle, customName, moduleCustomName }) => {
    const given = customName || moduleCustomName;
    return { clientId, worldTitle, ...(given ? { customName: given } : {}) };
  });
}

/** Whether any account has paired a world by this id. */
export async function isPaired(db: Kysely<Tables>, clientId: string): Promise<boolean> {
  if (!mayBeClientId(clientId)) return false;
  const row = await db
    .selectFrom('knownClients')
    .select('accountId')
    .where('clientId', '=', clientId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Postgres has no text with NUL in it, and refuses to look for one. */
const mayBeClientId = (text: string): boolean => !text.includes('\0');

/** Refuses the ids of other accounts' worlds in the same words as ids that no world has. */
export async function checkOwnClients(
  trx: Transaction<Tables>,
  accountId: string,
  clientIds: readonly string[],
): Promise<void> {
  if (clientIds.length === 0) return;
  const rows = await trx
    .selectFrom('knownClients')
    .select('clientId')
    .where('accountId', '=', accountId)
    .where('clientId', 'in', clientIds)
    .execute();
  const own = new Set(rows.map((row) => row.clientId));
  const foreign = clientIds.find((clientId) => !own.has(clientId));
  if (foreign !== undefined) {
    throw new ProblemError('client_not_found', `You have no world by the id ${foreign}.`);
  }
}

/**
 * Whether a page of this origin is one of the addresses of a row of `known_clients`: where the world was paired first, or
 * where a browser of it is paired. So a person decides on each, and unpairing the browser ends it.
 */
export const isAddressOfWorld = (origin: string): RawBuilder<boolean> => sql<boolean>`(
  known_clients.paired_origin = ${origin} or exists (
    select from connection_tokens where connection_tokens.client_id = known_clients.client_id
      and connection_tokens.origin = ${origin}))`;

/** The account's worlds that have this origin among their addresses; with `world` only those of this id or title. */
export async function findClientsAt(
  db: Kysely<Tables>,
  { accountId, origin, world }: { accountId: string; origin: string; world: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom('knownClients')
    .select('clientId')
    .where('accountId', '=', accountId)
    .where(isAddressOfWorld(origin))
    .$if(world !== '', (query) =>
      query.where((eb) => eb.or([eb('worldId', '=', world), eb('worldTitle', '=', world)])),
    )
    .execute();
  return rows.map((row) => row.clientId);
}
