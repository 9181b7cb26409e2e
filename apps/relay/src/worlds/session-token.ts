import type { WorldMetadata } from '@tabletop-relay/contract';
import { newId } from '@tabletop-relay/database';
import type { Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { createSecret } from '../credentials/secret.ts';
import { ProblemError } from '../problem.ts';
import { checkBrowserBound } from './bounds.ts';
import type { WorldBounds } from './bounds.ts';
import { isAddressOfWorld } from './find-clients.ts';
import { chooseClientToPair } from './pairing/choose-client-to-pair.ts';

export interface SessionWorld extends WorldMetadata {
  /** The clientId that the tabletop's server keeps for its world; empty where it has none. */
  clientId: string;
  /** Of the page that the session is logged in to. */
  origin: string;
}

/** The scoped key that started a session. */
export interface SessionKey {
  /** The clients that it may reach; null: all of the account. */
  clientIds: readonly string[] | null;
}

export interface SessionToken {
  token: string;
  tokenId: string;
  clientId: string;
}

/**
 * Makes the connection token of a headless session. Its client is the one that the tabletop names, else the account's for
 * this address and world, else a new one. A session is no pairing: it gives a known world no further address. The
 * caller holds the account's lock. `key` is null where the master key or a person started the session. Throws `session_failed`
 * where the tabletop names a client that the account does not have, `forbidden` where the world has another address, or is
 * one that the key may not reach.
 */
export async function createSessionToken(
  trx: Transaction<Tables>,
  bounds: WorldBounds,
  input: { accountId: string; world: SessionWorld; name: string; key: SessionKey | null },
): Promise<SessionToken> {
  const { accountId, world, name, key } = input;
  const { clientId: named, origin, ...metadata } = world;
  const known = await findClient(trx, { accountId, world, reachable: key?.clientIds ?? null });
  if (key) checkKey(key, world, known);
  if (named && !known) {
    throw new ProblemError('session_failed', 'The tabletop is paired with a world of another account.');
  }
  checkAddress(known, origin);
  const { clientId } = await chooseClientToPair(trx, bounds, {
    code: { accountId, clientId: known?.clientId ?? null, worldId: null, origin: null },
    world: { ...metadata, origin, existingClientId: '', serverFingerprint: '' },
  });
  await checkBrowserBound(trx, bounds, clientId);
  const { value: token, hash, hint } = createSecret('connectionToken');
  const tokenId = newId();
  await trx
    .insertInto('connectionTokens')
    .values({
      id: tokenId,
      accountId,
      clientId,
      hash,
      hint,
      name,
      worldId: world.worldId,
      systemId: world.systemId,
      origin,
    })
    .execute();
  return { token, tokenId, clientId };
}

interface FoundClient {
  clientId: string;
  isAtAddress: boolean;
}

/** The client that the tabletop names, whether or not it is reachable; else the reachable one of this address and world. */
async function findClient(
  trx: Transaction<Tables>,
  input: { accountId: string; world: SessionWorld; reachable: readonly string[] | null },
): Promise<FoundClient | undefined> {
  const { clientId, worldId, origin } = input.world;
  const { reachable } = input;
  const ofWorld = trx
    .selectFrom('knownClients')
    .select(['clientId', isAddressOfWorld(origin).as('isAtAddress')])
    .where('accountId', '=', input.accountId)
    .where('pairedWorldId', '=', worldId);
  if (clientId) return await ofWorld.where('clientId', '=', clientId).executeTakeFirst();
  return await ofWorld
    .where(isAddressOfWorld(origin))
    .$if(reachable !== null, (query) =>
      query.where('clientId', '=', sql<string>`any(${[...(reachable ?? [])]}::text[])`),
    )
    .orderBy('lastSeenAt', (order) => order.desc().nullsLast())
    .executeTakeFirst();
}

/**
 * Ids of worlds are no secrets, so a page that names a world proves nothing, and the connection token lets it answer for the
 * world. Only a person gives a world an address, in a page that they look at: whoever starts a session may have been led
 * to a stranger's tabletop. Throws `forbidden`.
 */
function checkAddress(known: FoundClient | undefined, origin: string): void {
  if (!known || known.isAtAddress) return;
  throw new ProblemError(
    'forbidden',
    `The world that this tabletop names was paired at another address than ${origin}. If it is that world, open it there and pair it: in the dashboard, “Add browser” on the page of the world. Then start again. If not, this is not your tabletop.`,
  );
}

const byOthers = 'start the session from the dashboard or with the master key';

/** A scoped key gets a connection token only for a world that it may reach. Throws `forbidden`. */
function checkKey({ clientIds }: SessionKey, world: SessionWorld, known: FoundClient | undefined): void {
  const { clientId: named, origin } = world;
  if (named && clientIds && !clientIds.includes(named)) {
    throw new ProblemError(
      'forbidden',
      `The key may not reach the world that this tabletop names. Let the key reach it, or ${byOthers}.`,
    );
  }
  if (!named && clientIds && !known) {
    throw new ProblemError(
      'forbidden',
      `The key may reach certain worlds only, and none of them was paired at ${origin} as this world. Pair it there and let the key reach it, or ${byOthers}.`,
    );
  }
}
