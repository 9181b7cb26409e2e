import type { WorldMetadata } from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Selectable, Transaction } from 'kysely';
import { newId } from '../../credentials/id.ts';
import { ProblemError } from '../../problem.ts';
import { checkRoomForWorld } from '../bounds.ts';
import type { WorldBounds } from '../bounds.ts';
import { columnsOf } from '../world-columns.ts';

/** The world as its browser describes it when it pairs. A field is empty where the browser says nothing. */
export interface PairingWorld extends WorldMetadata {
  existingClientId: string;
  serverFingerprint: string;
  origin: string;
}

export interface PairedClient {
  clientId: string;
  /** The fact by which the browser claimed a known client; undefined for a new client and for an Add Browser code. */
  reusedBy?: 'existingClientId' | 'serverFingerprint' | 'worldId and origin';
}

type Code = Pick<Selectable<Tables['pairingCodes']>, 'accountId' | 'clientId'>;

/**
 * Chooses the client that a code pairs: the code's own, else one of the account that the browser can name or prove, if its
 * world is the same, else a new one. A worldId alone claims nothing, because it can be guessed.
 */
export async function chooseClientToPair(
  trx: Transaction<Tables>,
  bounds: Pick<WorldBounds, 'maxWorldsPerAccount'>,
  { code, world }: { code: Code; world: PairingWorld },
): Promise<PairedClient> {
  const chosen = code.clientId === null ? await findClient(trx, code.accountId, world) : undefined;
  const clientId = code.clientId ?? chosen?.clientId;
  if (clientId === undefined) {
    await checkRoomForWorld(trx, bounds, code.accountId);
    return await insertClient(trx, code.accountId, world);
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
    .selectFrom('knownClients as client')
    .select('clientId')
    .where('accountId', '=', accountId)
    .where('pairedWorldId', '=', world.worldId)
    .orderBy('clientId');
  if (world.existingClientId) {
    const row = await ofWorld.where('clientId', '=', world.existingClientId).executeTakeFirst();
    if (row) return { ...row, reusedBy: 'existingClientId' };
  }
  if (world.serverFingerprint) {
    const row = await ofWorld.where('serverFingerprint', '=', world.serverFingerprint).executeTakeFirst();
    if (row) return { ...row, reusedBy: 'serverFingerprint' };
  }
  if (!world.origin) return undefined;
  const row = await ofWorld
    .where('pairedOrigin', '=', world.origin)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('connectionTokens')
            .select(sql`1`.as('one'))
            .whereRef('connectionTokens.clientId', '=', 'client.clientId'),
        ),
      ),
    )
    .executeTakeFirst();
  return row && { ...row, reusedBy: 'worldId and origin' };
}

async function checkWorld(trx: Transaction<Tables>, clientId: string, worldId: string): Promise<void> {
  const client = await trx
    .selectFrom('knownClients')
    .select('pairedWorldId')
    .where('clientId', '=', clientId)
    .forUpdate()
    .executeTakeFirst();
  if (!client) throw new ProblemError('code_expired', 'The world of this code was deleted.');
  if (client.pairedWorldId !== worldId) {
    throw new ProblemError('conflict', 'This code adds a browser to another world.');
  }
}

const metadataOf = (world: PairingWorld) => ({
  ...columnsOf(world),
  pairedSystemId: world.systemId,
  pairedOrigin: world.origin,
});

async function insertClient(
  trx: Transaction<Tables>,
  accountId: string,
  world: PairingWorld,
): Promise<PairedClient> {
  const clientId = newId();
  await trx
    .insertInto('knownClients')
    .values({
      clientId,
      accountId,
      pairedWorldId: world.worldId,
      serverFingerprint: world.serverFingerprint,
      ...metadataOf(world),
    })
    .execute();
  return { clientId };
}

/** Updates the client; a field that the browser left out stays as it was. */
async function updateClient(trx: Transaction<Tables>, clientId: string, world: PairingWorld): Promise<void> {
  const said = Object.entries({ ...metadataOf(world), serverFingerprint: world.serverFingerprint });
  await trx
    .updateTable('knownClients')
    .set(Object.fromEntries(said.filter(([, value]) => value !== '')))
    .where('clientId', '=', clientId)
    .execute();
}
