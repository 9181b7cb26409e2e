import type { Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { Type } from 'typebox';
import { ProblemError } from '../problem.ts';

const setting = (value: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: 1_000_000, default: value, description });

/** The most that there may be of each thing, as settings: MAX_KEYS_PER_ACCOUNT and so on. They are counted in Postgres. */
export const boundSettings = {
  maxSessionsPerAccount: setting(100, 'Sessions of an account; a sign-in above it ends the oldest.'),
  maxKeysPerAccount: setting(
    500,
    'API keys of an account, with those that were approved and not collected yet; above it 409 `conflict`.',
  ),
  maxWorldsPerAccount: setting(500, 'Paired worlds of an account; above it 409 `conflict`.'),
  maxBrowsersPerWorld: setting(50, 'Paired browsers of a world; above it 409 `conflict`.'),
  maxOpenKeyRequests: setting(
    10_000,
    'Key requests of all instances that wait for a decision; above it 503 `overloaded`.',
  ),
};

export type Bounds = Record<keyof typeof boundSettings, number>;

/**
 * Throws `conflict` where the account has no room for another key. An approved key request holds its place until
 * the key is collected or the approval ends: `isPlaceHeld` says that it is one of those that ask.
 * The account's row is locked, here and below: two that count at once would both find the last place.
 */
export async function checkRoomForKey(
  trx: Transaction<Tables>,
  bounds: Pick<Bounds, 'maxKeysPerAccount'>,
  input: { accountId: string; now: number; isPlaceHeld?: boolean },
): Promise<void> {
  const max = bounds.maxKeysPerAccount;
  const { keys, approved } = await trx
    .selectNoFrom((eb) => [
      eb
        .selectFrom('apiKeys')
        .select(sql<string>`count(*)`.as('count'))
        .where('accountId', '=', input.accountId)
        .as('keys'),
      eb
        .selectFrom('keyRequests')
        .select(sql<string>`count(*)`.as('count'))
        .where('accountId', '=', input.accountId)
        .where('status', '=', 'approved')
        .where('expiresAt', '>', new Date(input.now))
        .as('approved'),
    ])
    .executeTakeFirstOrThrow();
  const others = Number(keys) + Number(approved) - (input.isPlaceHeld ? 1 : 0);
  if (others < max) return;
  throw new ProblemError(
    'conflict',
    `An account may have ${max} keys, approved requests included, and this one has them. Revoke one that is no longer used.`,
  );
}

/** Throws `conflict` where the account has no room for another world. */
export async function checkRoomForWorld(
  trx: Transaction<Tables>,
  bounds: Pick<Bounds, 'maxWorldsPerAccount'>,
  accountId: string,
): Promise<void> {
  const max = bounds.maxWorldsPerAccount;
  const { count } = await trx
    .selectFrom('knownClients')
    .select(sql<string>`count(*)`.as('count'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
  if (Number(count) < max) return;
  throw new ProblemError(
    'conflict',
    `An account may have ${max} worlds, and this one has them. Delete one that is no longer played.`,
  );
}

/** Throws `conflict` where the world has no room for another browser. */
export async function checkRoomForBrowser(
  trx: Transaction<Tables>,
  bounds: Pick<Bounds, 'maxBrowsersPerWorld'>,
  clientId: string,
): Promise<void> {
  const max = bounds.maxBrowsersPerWorld;
  const { count } = await trx
    .selectFrom('connectionTokens')
    .select(sql<string>`count(*)`.as('count'))
    .where('clientId', '=', clientId)
    .executeTakeFirstOrThrow();
  if (Number(count) < max) return;
  throw new ProblemError(
    'conflict',
    `A world may have ${max} paired browsers, and this one has them. Unpair one that is no longer used.`,
  );
}

/** One at a time over all instances, until the transaction ends. Throws `overloaded` where no request more is taken. */
export async function checkRoomForKeyRequest(
  trx: Transaction<Tables>,
  bounds: Pick<Bounds, 'maxOpenKeyRequests'>,
  now: number,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('open_key_requests'))`.execute(trx);
  const { count } = await trx
    .selectFrom('keyRequests')
    .select(sql<string>`count(*)`.as('count'))
    .where('status', '=', 'pending')
    .where('expiresAt', '>', new Date(now))
    .executeTakeFirstOrThrow();
  if (Number(count) < bounds.maxOpenKeyRequests) return;
  throw new ProblemError(
    'overloaded',
    'Too many key requests wait for a decision at the moment. Nothing was kept: ask again in a minute.',
    { retryAfterS: 60 },
  );
}
