import { Account, DeleteAccountBody } from '@tabletop-relay/contract';
import type { Database } from '@tabletop-relay/database';
import { Type } from 'typebox';
import { ProblemError } from '../problem.ts';
import { withVerifiedAccount } from './account-lock.ts';
import type { VerifiedAccount } from './account-lock.ts';
import { verifyPassword, wrongPassword } from './credentials-check.ts';
import type { AccountApp, AccountDeps } from './deps.ts';
import type { Sender } from '../records/sender.ts';
import { limitOf } from '../limits/limits.ts';
import { auditOf, senderOf } from '../records/sender.ts';
import { clearSessionCookie } from './sessions.ts';

export async function readAccount(db: Database, id: string): Promise<Account> {
  const row = await db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw new ProblemError('session_invalid');
  return {
    id: row.id,
    email: row.email,
    createdAt: row.createdAt.toISOString(),
    emailProven: row.emailProvenAt !== null,
    isAdministrator: row.isAdministrator,
    rotationRequired: row.rotationRequired,
    disabled: row.disabledAt !== null,
    masterKeyHint: row.masterKeyHint,
    masterKeyLastUsedAt: row.masterKeyLastUsedAt?.toISOString() ?? null,
  };
}

/** Deletes an account with all that is its own: credentials, worlds, and what is recorded of it. */
async function deleteAccount(
  deps: Pick<AccountDeps, 'feed' | 'inTurn' | 'records'>,
  account: VerifiedAccount,
  sender: Sender,
): Promise<void> {
  // What waits to be written would otherwise come after the deletion, and be dropped: order is all it costs.
  await deps.records.flush();
  await withVerifiedAccount(deps, { verified: account, detail: wrongPassword }, async (trx, announce) => {
    // A trigger erases the records with it.
    await trx.deleteFrom('accounts').where('id', '=', account.id).execute();
    announce({ accountId: account.id, subject: 'account', subjectId: account.id, change: 'revoked' });
    await deps.records.auditIn(trx, { event: 'account.deleted', actor: 'session', ...auditOf(sender) });
  });
}

export function accountRoutes(app: AccountApp, deps: AccountDeps): void {
  app.get(
    '/auth/account',
    {
      schema: { summary: 'Show your account', response: { 200: Account } },
      config: { openToDisabled: true },
    },
    async (request) => await readAccount(deps.db, request.session.accountId),
  );

  app.delete(
    '/auth/account',
    {
      schema: {
        summary: 'Delete your account',
        description: 'With its worlds, keys and logs, at once and for good.',
        body: DeleteAccountBody,
        response: { 200: Type.Object({}) },
      },
      config: { ...limitOf(deps.limits, 'deleteAccount'), problems: ['credentials_invalid', 'overloaded'] },
    },
    async (request, reply) => {
      const sender = senderOf(request);
      const account = await verifyPassword(deps, request.session, { ...request.body, sender });
      await deleteAccount(deps, account, sender);
      clearSessionCookie(reply, deps.publicUrlOf(request));
      return {};
    },
  );
}
