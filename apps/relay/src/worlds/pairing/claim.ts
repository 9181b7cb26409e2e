import type { Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { isAddressOfWorld } from '../find-clients.ts';

/** A page’s claim of an earlier pairing. Fields that it does not give are empty. */
export interface Claiming {
  worldId: string;
  origin: string;
  existingClientId: string;
  serverFingerprint: string;
}

/** A world of the account that a page would become, and the fact by which. */
export interface Claim {
  clientId: string;
  worldTitle: string;
  customName: string;
  pairedOrigin: string;
  /** Whether a person paired a browser of the world in a page of this origin before. */
  isAtAddress: boolean;
  by: 'existingClientId' | 'serverFingerprint' | 'worldId and origin';
}

/**
 * The world of the account that this page names or proves, if the world's id is the same. A worldId alone claims
 * nothing, because it can be guessed.
 */
export async function findClaim(
  db: Kysely<Tables>,
  accountId: string,
  { worldId, origin, existingClientId, serverFingerprint }: Claiming,
): Promise<Claim | undefined> {
  const ofWorld = db
    .selectFrom('knownClients')
    .select(['clientId', 'worldTitle', 'pairedOrigin', isAddressOfWorld(origin).as('isAtAddress')])
    .select(sql<string>`coalesce(nullif(custom_name, ''), module_custom_name)`.as('customName'))
    .where('accountId', '=', accountId)
    .where('pairedWorldId', '=', worldId)
    .orderBy('clientId');
  if (existingClientId) {
    const row = await ofWorld.where('clientId', '=', existingClientId).executeTakeFirst();
    if (row) return { ...row, by: 'existingClientId' };
  }
  if (serverFingerprint) {
    const row = await ofWorld.where('serverFingerprint', '=', serverFingerprint).executeTakeFirst();
    if (row) return { ...row, by: 'serverFingerprint' };
  }
  if (!origin) return undefined;
  const row = await ofWorld
    .where('pairedOrigin', '=', origin)
    .where(
      sql<boolean>`not exists (
        select from connection_tokens where connection_tokens.client_id = known_clients.client_id)`,
    )
    .executeTakeFirst();
  return row && { ...row, by: 'worldId and origin' };
}
