import { count } from '@tabletop-relay/process';
import type { SettingsOf } from '@tabletop-relay/process';
import type { Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { ProblemError } from '../problem.ts';

export const worldBounds = {
  maxWorldsPerAccount: count(500, 'Paired worlds of an account; above it 409 `conflict`.'),
  maxBrowsersPerWorld: count(50, 'Paired browsers of a world; above it 409 `conflict`.'),
};

export const worldConstants = {
  /** Pair requests of all instances that wait for a decision; above it 503 `overloaded`. */
  maxOpenPairRequests: 10_000,
};

export type WorldBounds = SettingsOf<typeof worldBounds> & typeof worldConstants;

/**
 * Throws `conflict` where the account has no room for another world. The account's row is locked, here and below: two
 * that count at once would both find the last place.
 */
export async function checkWorldBound(
  trx: Transaction<Tables>,
  bounds: Pick<WorldBounds, 'maxWorldsPerAccount'>,
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
export async function checkBrowserBound(
  trx: Transaction<Tables>,
  bounds: Pick<WorldBounds, 'maxBrowsersPerWorld'>,
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
