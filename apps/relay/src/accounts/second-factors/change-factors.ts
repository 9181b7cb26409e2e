import type { SecondFactor } from '@tabletop-relay/contract';
import type { Database, Tables } from '@tabletop-relay/database';
import type { Transaction } from 'kysely';
import type { Sender, SessionPrincipal } from '../../endpoint-handler.ts';
import { ProblemError } from '../../problem.ts';
import type { Records } from '../../records/records.ts';
import { auditOf } from '../../records/sender.ts';
import { withVerifiedAccount } from '../account-lock.ts';
import type { LockDeps, VerifiedAccount } from '../account-lock.ts';
import { wrongPassword } from '../credentials-check.ts';
import { describeFactor, factorColumns, readFactors } from './factors.ts';
import { deleteRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts';

export interface ChangeFactorsDeps extends LockDeps {
  db: Database;
  records: Pick<Records, 'auditIn'>;
}

interface Change {
  account: VerifiedAccount;
  email: string;
  sender: Sender;
}

const noFactor = () => new ProblemError('not_found', 'You have no second factor by that id.');

export async function renameFactor(
  deps: ChangeFactorsDeps,
  input: { session: SessionPrincipal; id: string; name: string; sender: Sender; publicUrl: string },
): Promise<SecondFactor> {
  const { accountId } = input.session;
  return await deps.db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('secondFactors')
      .set({ name: input.name })
      .where('id', '=', input.id)
      .where('accountId', '=', accountId)
      .returning(factorColumns)
      .executeTakeFirst();
    if (!row) throw noFactor();
    await deps.records.auditIn(trx, {
      accountId,
      event: 'second_factor.renamed',
      subjectId: row.id,
      detail: { name: row.name },
      ...auditOf(input.sender),
    });
    return describeFactor(row, input.publicUrl);
  });
}

/** Removes one of the account's factors; the recovery codes go with the last. Throws `not_found`. */
export async function removeFactor(
  deps: ChangeFactorsDeps,
  { id, account, sender }: Change & { id: string },
): Promise<void> {
  await withVerifiedAccount(deps, { verified: account, detail: wrongPassword }, async (trx) => {
    const removed = await trx
      .deleteFrom('secondFactors')
      .where('id', '=', id)
      .where('accountId', '=', account.id)
      .returning(['kind', 'name'])
      .executeTakeFirst();
    if (!removed) throw noFactor();
    await dropUselessCodes(trx, account.id);
    await deps.records.auditIn(trx, {
      event: 'second_factor.removed',
      detail: removed,
      accountId: account.id,
      subjectId: id,
      ...auditOf(sender),
    });
  });
}

async function dropUselessCodes(trx: Transaction<Tables>, accountId: string): Promise<void> {
  const left = await readFactors(trx, accountId);
  if (left.length === 0) await deleteRecoveryCodes(trx, accountId);
}

/** New recovery codes in place of the old. Throws `conflict` for an account without a factor. */
export async function makeRecoveryCodes(
  deps: ChangeFactorsDeps,
  { account, sender }: Change,
): Promise<string[]> {
  return await withVerifiedAccount(deps, { verified: account, detail: wrongPassword }, async (trx) => {
    const factors = await readFactors(trx, account.id);
    if (factors.length === 0)
      throw new ProblemError('conflict', 'Recovery codes stand in for a second factor: set one up first.');
    await deps.records.auditIn(trx, {
      accountId: account.id,
      event: 'recovery_codes.made',
      ...auditOf(sender),
    });
    return await replaceRecoveryCodes(trx, account.id);
  });
}
