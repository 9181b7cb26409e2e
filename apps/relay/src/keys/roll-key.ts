import type { Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { withAccountLocked } from '../accounts/account-lock.ts';
import type { LockDeps } from '../accounts/account-lock.ts';
import { createSecret } from '../credentials/secret.ts';
import type { Sender, SessionPrincipal } from '../endpoint-handler.ts';
import { readSetPauses } from '../pauses/set-pause.ts';
import { ProblemError } from '../problem.ts';
import type { Records } from '../records/records.ts';
import { checkScopesOfUser } from '../worlds/acting-users.ts';
import { auditOf } from '../records/sender.ts';
import { isGrant } from './oauth/sign-in-scopes.ts';

export interface RollDeps extends LockDeps {
  records: Pick<Records, 'auditIn'>;
  /** Whether a headless session that the key started is under way. */
  runsSession(trx: Transaction<Tables>, key: { accountId: string; keyId: string }): Promise<boolean>;
  now(): number;
}

/**
 * Gives a key a new value, which is shown once, and resolves with it. The value before goes on for `keepOldSeconds`, in the
 * place of one that was kept by an earlier roll. Undefined if the account has no key by that id.
 */
export async function rollApiKey(
  deps: RollDeps,
  input: { session: SessionPrincipal; id: string; keepOldSeconds: number; sender: Sender },
): Promise<string | undefined> {
  const { session, id, keepOldSeconds, sender } = input;
  const { accountId } = session;
  return await withAccountLocked(deps, session, async (trx, announce) => {
    const key = await trx
      .selectFrom('apiKeys')
      .select(['name', 'hash', 'hint', 'scopes', 'actingUserIds'])
      .where('id', '=', id)
      .where('accountId', '=', accountId)
      .forUpdate()
      .executeTakeFirst();
    if (!key) return undefined;
    if (await isGrant(trx, id))
      throw new ProblemError(
        'conflict',
        'A program was signed in for this: it has no value to roll. Revoke it, and sign the program in again.',
      );
    checkScopesOfUser(key.actingUserIds, key.scopes);
    if (await deps.runsSession(trx, { accountId, keyId: id }))
      throw new ProblemError(
        'conflict',
        'A headless session that this key started is running. End the session first, or revoke the key.',
      );
    const secret = createSecret('scopedKey');
    const { hash, hint } = secret;
    // A pause ends the old value, and keeps none that would come back with its end.
    const isPaused = (await readSetPauses(trx, accountId)).some(({ keyId }) => keyId === id);
    const keptMs = isPaused ? 0 : keepOldSeconds * 1_000;
    const rolledAt = new Date(deps.now());
    const endsAt = new Date(deps.now() + keptMs);
    await endOldValue(trx, id);
    if (keptMs > 0)
      await trx
        .insertInto('oldKeyValues')
        .values({ keyId: id, hash: key.hash, hint: key.hint, rolledAt, endsAt, lastUsedAt: sql`null` })
        .execute();
    await trx.updateTable('apiKeys').set({ hash, hint }).where('id', '=', id).execute();
    announce({ accountId, subject: 'key', subjectId: id, change: 'changed' });
    await deps.records.auditIn(trx, {
      accountId,
      event: 'api_key.rolled',
      subjectId: id,
      detail: {
        name: key.name,
        ...(keptMs > 0 && { oldValueEndsAt: endsAt.toISOString() }),
      },
      ...auditOf(sender),
    });
    return secret.value;
  });
}

/** Ends the old value of a key of the account on every instance. Nothing happens where it has none any more. */
export async function endOldValueNow(
  deps: Pick<RollDeps, 'feed' | 'records'>,
  { accountId, id, sender }: { accountId: string; id: string; sender: Sender },
): Promise<void> {
  await deps.feed.change(async (trx, announce) => {
    if (!(await endOldValue(trx, id))) return;
    announce({ accountId, subject: 'key', subjectId: id, change: 'changed' });
    await deps.records.auditIn(trx, {
      accountId,
      event: 'api_key.old_value_ended',
      subjectId: id,
      ...auditOf(sender),
    });
  });
}

/** Ends the value that a key had before it was rolled; false where it has none. The caller announces the change. */
async function endOldValue(trx: Transaction<Tables>, keyId: string): Promise<boolean> {
  const ended = await trx.deleteFrom('oldKeyValues').where('keyId', '=', keyId).executeTakeFirst();
  return ended.numDeletedRows > 0n;
}
