import type { Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { withAccountLocked } from '../accounts/account-lock.ts';
import { createSecret } from '../credentials/secret.ts';
import type { Sender, SessionPrincipal } from '../endpoint-handler.ts';
import { ProblemError } from '../problem.ts';
import { auditOf } from '../records/sender.ts';
import type { ApiKeyDeps } from './api-keys.ts';

/**
 * Gives a key a new value, which is shown once, and resolves with it. The value before goes on for `keepOldSeconds`, in the
 * place of one that was kept by an earlier roll. Undefined if the account has no key by that id.
 */
export async function rollApiKey(
  deps: ApiKeyDeps,
  input: { session: SessionPrincipal; id: string; keepOldSeconds: number; sender: Sender },
): Promise<string | undefined> {
  const { session, id, keepOldSeconds, sender } = input;
  const { accountId } = session;
  return await withAccountLocked(deps, session, async (trx, announce) => {
    const key = await trx
      .selectFrom('apiKeys')
      .select(['name', 'hash', 'hint'])
      .where('id', '=', id)
      .where('accountId', '=', accountId)
      .forUpdate()
      .executeTakeFirst();
    if (!key) return undefined;
    if (await deps.runsSession(trx, { accountId, keyId: id }))
      throw new ProblemError(
        'conflict',
        'A headless session that this key started is running. End the session first, or revoke the key.',
      );
    const secret = createSecret('scopedKey');
    const { hash, hint } = secret;
    const rolledAt = new Date(deps.now());
    const endsAt = new Date(deps.now() + keepOldSeconds * 1_000);
    await endOldValue(trx, id);
    if (keepOldSeconds > 0)
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
        ...(keepOldSeconds > 0 && { oldValueEndsAt: endsAt.toISOString() }),
      },
      ...auditOf(sender),
    });
    return secret.value;
  });
}

/** Ends the value that a key had before it was rolled, if it has one. The caller announces the change. */
export async function endOldValue(trx: Transaction<Tables>, keyId: string): Promise<void> {
  await trx.deleteFrom('oldKeyValues').where('keyId', '=', keyId).execute();
}
