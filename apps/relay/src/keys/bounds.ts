import { count } from '@tabletop-relay/process';
import type { SettingsOf } from '@tabletop-relay/process';
import type { Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { invalidFields, ProblemError } from '../problem.ts';

export const keyBounds = {
  maxKeysPerAccount: count(
    500,
    'API keys of an account, with those that were approved and not collected yet; above it 409 `conflict`.',
  ),
};

export const keyConstants = {
  /** Key requests of all instances that wait for a decision; above it 503 `overloaded`. */
  maxOpenKeyRequests: 10_000,
};

export type KeyBounds = SettingsOf<typeof keyBounds> & typeof keyConstants;

/**
 * Throws `conflict` if the account may have no further key. An approved key request counts as a key until the key is
 * collected or the approval ends. `isReserved` says that the new key is for such a request. The caller must hold the
 * account's lock, because two concurrent counts would both find the last place.
 */
export async function checkKeyBound(
  trx: Transaction<Tables>,
  bounds: Pick<KeyBounds, 'maxKeysPerAccount'>,
  input: { accountId: string; now: number; isReserved?: boolean },
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
  const others = Number(keys) + Number(approved) - (input.isReserved ? 1 : 0);
  if (others < max) return;
  throw new ProblemError(
    'conflict',
    `An account may have ${max} keys, approved requests included, and this one has that many. Revoke a key that is no longer used.`,
  );
}

/** Throws `invalid_request` for a time that is over. */
export function checkInFuture(field: string, time: string, now: number): void {
  if (Date.parse(time) <= now) throw invalidFields([{ field, message: 'must be in the future' }]);
}
