import type { WorldMetadata } from '@tabletop-relay/contract';
import { newId } from '@tabletop-relay/database';
import type { Tables } from '@tabletop-relay/database';
import type { Selectable, Transaction } from 'kysely';
import { ProblemError } from '../../problem.ts';
import { checkWorldBound } from '../bounds.ts';
import type { WorldBounds } from '../bounds.ts';
import { columnsOf } from '../world-columns.ts';
import { findClaim } from './claim.ts';
import type { Claim, Claiming } from './claim.ts';

/** The world as its browser describes it when it pairs. A field is empty where the browser says nothing. */
export interface PairingWorld extends WorldMetadata, Claiming {}

export interface PairedClient {
  clientId: string;
  /** Why it is a known client; undefined for a new one and for an Add Browser code. */
  reusedBy?: Claim['by'] | 'an approved request';
}

type Code = Pick<Selectable<Tables['pairingCodes']>, 'accountId' | 'clientId' | 'worldId' | 'origin'>;

/**
 * Chooses the client that a code pairs: the one that a person chose or saw with it, else for a code that is typed in
 * the one that the page claims, else a new one. Throws `conflict` where the page would become another world than the
 * person knows of.
 */
export async function chooseClientToPair(
  trx: Transaction<Tables>,
  bounds: Pick<WorldBounds, 'maxWorldsPerAccount'>,
  { code, world }: { code: Code; world: PairingWorld },
): Promise<PairedClient> {
  checkPage(code, world);
  const { clientId } = code;
  if (clientId !== null) {
    await checkWorld(trx, clientId, world.worldId);
    await updateClient(trx, clientId, world);
    return { clientId, ...(isOfRequest(code) && { reusedBy: 'an approved request' }) };
  }
  const claim = await findClaim(trx, code.accountId, world);
  if (claim) {
    checkClaim(code, claim);
    await updateClient(trx, claim.clientId, world);
    return { clientId: claim.clientId, reusedBy: claim.by };
  }
  await checkWorldBound(trx, bounds, code.accountId);
  return { clientId: await insertClient(trx, code.accountId, world) };
}

/** A code that came of a pair request: a person looked at the page that gets it. */
const isOfRequest = ({ worldId }: Code): boolean => worldId !== null;

/** Throws `conflict` for a code that was granted to another page. */
function checkPage(code: Code, { worldId, origin }: PairingWorld): void {
  if (code.worldId !== null && code.worldId !== worldId) {
    throw new ProblemError('conflict', 'This code was granted to another world.');
  }
  if (code.origin !== null && code.origin !== origin) {
    throw new ProblemError('conflict', 'This code was granted to this world at another address.');
  }
}

/**
 * Throws `conflict` where the person who made the code does not know of the claim. The answer goes to a page that may be
 * a stranger's, so it tells nothing of the world.
 */
function checkClaim(code: Code, { isAtAddress }: Claim): void {
  if (isOfRequest(code)) {
    throw new ProblemError(
      'conflict',
      `This tabletop names a world of yours, and what was approved is a new world. Ask to be paired again and look at what the page says, or ${addBrowser}.`,
    );
  }
  if (isAtAddress) return;
  throw new ProblemError(
    'conflict',
    `This tabletop names a world of yours that was paired at another address. If it is that world, ${addBrowser}.`,
  );
}

const addBrowser = 'open the world in the dashboard, press “Add browser” and use the code from there';

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
  serverFingerprint: world.serverFingerprint,
});

async function insertClient(
  trx: Transaction<Tables>,
  accountId: string,
  world: PairingWorld,
): Promise<string> {
  const clientId = newId();
  const { worldId: pairedWorldId, origin: pairedOrigin } = world;
  await trx
    .insertInto('knownClients')
    .values({ clientId, accountId, pairedWorldId, pairedOrigin, ...metadataOf(world) })
    .execute();
  return clientId;
}

/**
 * Updates the client; a field that the browser left out stays as it was. The origin stays too: a world has the address
 * where it was paired first, and those of its browsers.
 */
async function updateClient(trx: Transaction<Tables>, clientId: string, world: PairingWorld): Promise<void> {
  const said = Object.entries(metadataOf(world)).filter(([, value]) => value !== '');
  await trx
    .updateTable('knownClients')
    .set(Object.fromEntries(said))
    .where('clientId', '=', clientId)
    .execute();
}
