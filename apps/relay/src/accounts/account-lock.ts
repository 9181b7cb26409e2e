import type { Tables } from '@tabletop-relay/database';
import type { Transaction } from 'kysely';
import { blocked } from './block.ts';
import type { Announce } from '../credentials/changes/credential-feed.ts';
import { ProblemError } from '../problem.ts';
import type { CredentialFeed } from '../credentials/changes/credential-feed.ts';
import type { OneByOne } from './one-by-one.ts';

export interface LockDeps {
  feed: Pick<CredentialFeed, 'change'>;
  /** Queues of this instance: an account's changes wait for each other without a connection to Postgres. */
  oneByOne: OneByOne;
}

type Work<T> = (trx: Transaction<Tables>, announce: Announce) => Promise<T>;

/** Changes of one account wait for each other: in a queue on one instance, by the lock of its row between instances. */
async function changeOneByOne<T>(deps: LockDeps, accountId: string, work: Work<T>): Promise<T> {
  return await deps.oneByOne(`account ${accountId}`, () => deps.feed.change(work));
}

/**
 * Runs `work` in a transaction that holds the account's row. Rotation, disabling and deletion wait until it commits, and
 * nothing that `work` counts can change before. With `sessionId` the caller's session is checked again under the lock: it
 * may have ended since the request was let in, and an ended session makes no credential. Throws `session_invalid`, and
 * refuses while the account is blocked.
 */
export async function withAccountLocked<T>(
  deps: LockDeps,
  { accountId, sessionId }: { accountId: string; sessionId?: string },
  work: Work<T>,
): Promise<T> {
  return await changeOneByOne(deps, accountId, async (trx, announce) => {
    await lockUnblocked(trx, accountId);
    if (sessionId !== undefined) await lockSession(trx, sessionId);
    return await work(trx, announce);
  });
}

async function lockSession(trx: Transaction<Tables>, sessionId: string): Promise<void> {
  const session = await trx
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    // A request that ends the session meanwhile waits for this transaction.
    .forKeyShare()
    .executeTakeFirst();
  if (!session) throw new ProblemError('session_invalid');
}

async function lockUnblocked(trx: Transaction<Tables>, accountId: string): Promise<void> {
  const account = await trx
    .selectFrom('accounts')
    .select(blocked.as('blocked'))
    .where('id', '=', accountId)
    // Rows that refer to the account can be written meanwhile, such as a session.
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!account) throw new ProblemError('session_invalid');
  if (account.blocked) throw new ProblemError(account.blocked);
}

/**
 * Runs `work` in a transaction that holds the account's row, even where the account is blocked: an administrator whose key
 * must be rotated sets up a second factor first. The session is checked as above.
 */
export async function withSessionLocked<T>(
  deps: LockDeps,
  { accountId, sessionId }: { accountId: string; sessionId: string },
  work: Work<T>,
): Promise<T> {
  return await changeOneByOne(deps, accountId, async (trx, announce) => {
    await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
    await lockSession(trx, sessionId);
    return await work(trx, announce);
  });
}

/**
 * An account whose password was verified against this hash, and its second factor where it had one. No lock was held,
 * because hashing takes long.
 */
export interface VerifiedAccount {
  id: string;
  passwordHash: string;
  hasSecondFactor: boolean;
}

/**
 * Runs `work` in a transaction that holds the account's row, if the verified password is still its password. Since it was
 * verified, the password may have been changed, a second factor set up or the account deleted: then it throws `credentials_invalid` with
 * `detail`, as for a wrong password.
 */
export async function withVerifiedAccount<T>(
  deps: LockDeps,
  { verified, detail }: { verified: VerifiedAccount; detail: string },
  work: Work<T>,
): Promise<T> {
  return await changeOneByOne(deps, verified.id, async (trx, announce) => {
    await lockVerified(trx, verified, detail);
    return await work(trx, announce);
  });
}

async function lockVerified(
  trx: Transaction<Tables>,
  verified: VerifiedAccount,
  detail: string,
): Promise<void> {
  const account = await trx
    .selectFrom('accounts')
    .select('passwordHash')
    .where('id', '=', verified.id)
    .forUpdate()
    .executeTakeFirst();
  if (account?.passwordHash !== verified.passwordHash) throw new ProblemError('credentials_invalid', detail);
  if (verified.hasSecondFactor) return;
  // Read after the lock was taken: one that was set up meanwhile was not asked for.
  const factor = await trx
    .selectFrom('secondFactors')
    .select('id')
    .where('accountId', '=', verified.id)
    .executeTakeFirst();
  if (factor) throw new ProblemError('credentials_invalid', detail);
}
