import type { Account } from '@tabletop-relay/contract';
import type { Database } from '@tabletop-relay/database';
import { ProblemError } from '../problem.ts';

/** An account as its owner sees it. Throws `session_invalid` where it was deleted. */
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
