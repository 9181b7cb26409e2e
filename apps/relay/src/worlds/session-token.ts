import type { WorldMetadata } from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import type { Transaction } from 'kysely';
import { newId } from '../credentials/id.ts';
import { createSecret } from '../credentials/secret.ts';
import { ProblemError } from '../problem.ts';
import { checkRoomForBrowser } from './bounds.ts';
import type { WorldBounds } from './bounds.ts';
import { chooseClientToPair } from './pairing/choose-client-to-pair.ts';

export interface SessionWorld extends WorldMetadata {
  /** The clientId that the tabletop's server keeps for its world; empty where it has none. */
  clientId: string;
  /** Of the page that the session is logged in to. */
  origin: string;
}

export interface SessionToken {
  token: string;
  tokenId: string;
  clientId: string;
}

/**
 * Makes the connection token of a headless session. Its client is the one that the tabletop names, else the account's for
 * this address and world, else a new one: the session has logged in there, which proves more than a pairing code does. The
 * caller holds the account's lock. Throws `forbidden` where the tabletop names a client that the account does not have.
 */
export async function createSessionToken(
  trx: Transaction<Tables>,
  bounds: WorldBounds,
  { accountId, world, name }: { accountId: string; world: SessionWorld; name: string },
): Promise<SessionToken> {
  const { clientId: named, origin, ...metadata } = world;
  const known = await findClient(trx, accountId, world);
  if (named && known !== named) {
    throw new ProblemError('forbidden', 'The tabletop is paired with a world of another account.');
  }
  const { clientId } = await chooseClientToPair(trx, bounds, {
    code: { accountId, clientId: known ?? null },
    world: { ...metadata, origin, existingClientId: '', serverFingerprint: '' },
  });
  await checkRoomForBrowser(trx, bounds, clientId);
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

async function findClient(
  trx: Transaction<Tables>,
  accountId: string,
  { clientId, worldId, origin }: SessionWorld,
): Promise<string | undefined> {
  const ofWorld = trx
    .selectFrom('knownClients')
    .select('clientId')
    .where('accountId', '=', accountId)
    .where('pairedWorldId', '=', worldId);
  const row = clientId
    ? await ofWorld.where('clientId', '=', clientId).executeTakeFirst()
    : await ofWorld
        .where('pairedOrigin', '=', origin)
        .orderBy('lastSeenAt', (order) => order.desc().nullsLast())
        .executeTakeFirst();
  return row?.clientId;
}
