import type { accountEndpoints } from '@tabletop-relay/contract';
import type { HandlersOf, Sender } from '../endpoint-handler.ts';
import type { Records } from '../records/records.ts';
import { auditOf } from '../records/sender.ts';
import { withVerifiedAccount } from './account-lock.ts';
import type { LockDeps, VerifiedAccount } from './account-lock.ts';
import { verifyPassword, wrongPassword } from './credentials-check.ts';
import type { VerifyPasswordDeps } from './credentials-check.ts';
import { eraseDeleted } from './erase-deleted.ts';
import type { EraseDeletedDeps } from './erase-deleted.ts';
import { exportAccount } from './export.ts';
import type { ExportDeps } from './export.ts';
import { readAccount } from './read-account.ts';
import { clearSessionCookie } from './sessions/session-cookie.ts';

/** Deletes an account with its credentials and its worlds. Its records go too: where there are many, not all of them at once. */
async function deleteAccount(
  deps: LockDeps & Pick<AccountDeps, 'records'>,
  account: VerifiedAccount,
  sender: Sender,
): Promise<void> {
  // Records that still wait would be written after the deletion, and then be dropped.
  await deps.records.flush();
  await withVerifiedAccount(deps, { verified: account, detail: wrongPassword }, async (trx, announce) => {
    // A trigger erases the account's records, as many as one statement can.
    await trx.deleteFrom('accounts').where('id', '=', account.id).execute();
    announce({ accountId: account.id, subject: 'account', subjectId: account.id, change: 'revoked' });
    await deps.records.auditIn(trx, { event: 'account.deleted', actor: 'session', ...auditOf(sender) });
  });
}

export interface AccountDeps extends LockDeps, ExportDeps, VerifyPasswordDeps, EraseDeletedDeps {
  records: Pick<Records, 'audit' | 'auditIn' | 'flush'>;
  /** Told of an account that was deleted, for what is kept of it elsewhere than in Postgres. */
  onDeleted(accountId: string): void;
}

export const accountHandlers = (
  deps: AccountDeps,
): HandlersOf<Pick<typeof accountEndpoints, 'getAccount' | 'deleteAccount' | 'exportAccount'>> => ({
  getAccount: (_input, { session }) => readAccount(deps.db, session.accountId),

  async deleteAccount({ body }, caller) {
    const account = await verifyPassword(deps, caller, { ...body, purpose: 'deleteAccount' });
    await deleteAccount(deps, account, caller.sender);
    // Not awaited: the account is gone, and the rest of many records may take minutes.
    deps.onDeleted(account.id);
    void eraseDeleted(deps);
    clearSessionCookie(caller.cookies);
    return {};
  },

  exportAccount: (_input, { session }) => exportAccount(deps, session.accountId),
});
