import type { Tables } from '@tabletop-relay/database';
import type { Transaction } from 'kysely';
import { blockOf } from '../auth/authenticate.ts';
import { ProblemError } from '../http/problem.ts';

/**
 * Locks the account's row while a credential of it is made, so that neither rotation nor disabling nor
 * deletion slips in between; refuses while the account is blocked.
 */
export async function lockForNewCredential(trx: Transaction<Tables>, accountId: string): Promise<void> {
  const account = await trx
    .selectFrom('accounts')
    .select(['disabled_at', 'rotation_required'])
    .where('id', '=', accountId)
    .forShare()
    .executeTakeFirst();
  if (!account) throw new ProblemError('session_invalid');
  const blocked = blockOf(account);
  if (blocked) throw new ProblemError(blocked);
}

/** Refuses ids that are not the account's own, in the words for ids that are nobody's. */
export async function checkOwnClients(
  trx: Transaction<Tables>,
  accountId: string,
  clientIds: readonly string[],
): Promise<void> {
  if (clientIds.length === 0) return;
  const rows = await trx
    .selectFrom('known_clients')
    .select('client_id')
    .where('account_id', '=', accountId)
    .where('client_id', 'in', clientIds)
    .execute();
  const own = new Set(rows.map((row) => row.client_id));
  const foreign = clientIds.find((clientId) => !own.has(clientId));
  if (foreign !== undefined) {
    throw new ProblemError('client_not_found', `You have no world by the id ${foreign}.`);
  }
}
