import type { Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Selectable, Transaction } from 'kysely';
import { newId } from '../auth/id.ts';
import { ProblemError } from '../http/problem.ts';
import { checkRoomForWorld } from './bounds.ts';
import type { Bounds } from './bounds.ts';

/** What a browser says of its world when it pairs. Empty where it says nothing. */
export interface PairingWorld {
  worldId: string;
  worldTitle: string;
  tabletopVersion: string;
  systemId: string;
  systemTitle: string;
  systemVersion: string;
  customName: string;
  existingClientId: string;
  serverFingerprint: string;
  origin: string;
}

export interface PairedClient {
  clientId: string;
  /** What claimed a client that was there; undefined for a new one and for its own Add Browser code. */
  reusedBy?: 'existingClientId' | 'serverFingerprint' | 'worldId and origin';
}

type Code = Pick<Selectable<Tables['pairing_codes']>, 'account_id' | 'client_id'>;

/**
 * Which client a code pairs: the code's own; else one of the account that the browser can name or prove, if
 * the world agrees; else a new one. A guessable worldId alone claims nothing.
 */
export async function chooseClient(
  trx: Transaction<Tables>,
  bounds: Bounds,
  { code, world }: { code: Code; world: PairingWorld },
): Promise<PairedClient> {
  const chosen = code.client_id === null ? await findClient(trx, code.account_id, world) : undefined;
  const clientId = code.client_id ?? chosen?.clientId;
  if (clientId === undefined) {
    await checkRoomForWorld(trx, bounds, code.account_id);
    return await insertClient(trx, code.account_id, world);
  }
  await checkWorld(trx, clientId, world.worldId);
  await updateClient(trx, clientId, world);
  return chosen ?? { clientId };
}

async function findClient(
  trx: Transaction<Tables>,
  accountId: string,
  world: PairingWorld,
): Promise<PairedClient | undefined> {
  const ofWorld = trx
    .selectFrom('known_clients as client')
    .select('client_id')
    .where('account_id', '=', accountId)
    .where('paired_world_id', '=', world.worldId)
    .orderBy('client_id');
  if (world.existingClientId) {
    const row = await ofWorld.where('client_id', '=', world.existingClientId).executeTakeFirst();
    if (row) return { clientId: row.client_id, reusedBy: 'existingClientId' };
  }
  if (world.serverFingerprint) {
    const row = await ofWorld.where('server_fingerprint', '=', world.serverFingerprint).executeTakeFirst();
    if (row) return { clientId: row.client_id, reusedBy: 'serverFingerprint' };
  }
  if (!world.origin) return undefined;
  const row = await ofWorld
    .where('paired_origin', '=', world.origin)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('connection_tokens')
            .select(sql`1`.as('one'))
            .whereRef('connection_tokens.client_id', '=', 'client.client_id'),
        ),
      ),
    )
    .executeTakeFirst();
  return row && { clientId: row.client_id, reusedBy: 'worldId and origin' };
}

async function checkWorld(trx: Transaction<Tables>, clientId: string, worldId: string): Promise<void> {
  const client = await trx
    .selectFrom('known_clients')
    .select('paired_world_id')
    .where('client_id', '=', clientId)
    .forUpdate()
    .executeTakeFirst();
  if (!client) throw new ProblemError('code_expired', 'The world of this code was deleted.');
  if (client.paired_world_id !== worldId) {
    throw new ProblemError('conflict', 'This code adds a browser to another world.');
  }
}

const metadataOf = (world: PairingWorld) => ({
  paired_system_id: world.systemId,
  paired_origin: world.origin,
  world_id: world.worldId,
  world_title: world.worldTitle,
  tabletop_version: world.tabletopVersion,
  system_id: world.systemId,
  system_title: world.systemTitle,
  system_version: world.systemVersion,
  module_custom_name: world.customName,
});

async function insertClient(
  trx: Transaction<Tables>,
  accountId: string,
  world: PairingWorld,
): Promise<PairedClient> {
  const clientId = newId();
  await trx
    .insertInto('known_clients')
    .values({
      client_id: clientId,
      account_id: accountId,
      paired_world_id: world.worldId,
      server_fingerprint: world.serverFingerprint,
      ...metadataOf(world),
    })
    .execute();
  return { clientId };
}

/** What the browser left out stays as it was. */
async function updateClient(trx: Transaction<Tables>, clientId: string, world: PairingWorld): Promise<void> {
  const said = Object.entries({ ...metadataOf(world), server_fingerprint: world.serverFingerprint });
  await trx
    .updateTable('known_clients')
    .set(Object.fromEntries(said.filter(([, value]) => value !== '')))
    .where('client_id', '=', clientId)
    .execute();
}
