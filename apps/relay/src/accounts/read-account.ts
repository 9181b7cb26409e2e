import type { Account } from '@tabletop-relay/contract';
import type { Database } from '@tabletop-relay/database';
import { ProblemError } from '../problem.ts';
import { hasSecondFactor } from './second-factors/factors.ts';

/** An account as its owner sees it. Throws `session_invalid` where it was deleted. */
export async function readAccount(db: Database, id: string): Promise<Account> {
  const row = await db
    .selectFrom('accounts')
    .select(['id', 'email', 'createdAt', 'emailProvenAt', 'isAdministrator', 'rotationRequired'])
    .select(['disabledAt', 'masterKeyHint', 'masterKeyLastUsedAt', hasSecondFactor.as('hasSecondFactor')])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw new ProblemError('session_invalid');
  const { emailProvenAt, disabledAt, hasSecondFactor: hasFactor, ...account } = row;
  return {
    ...account,
    createdAt: row.createdAt.toISOString(),
    emailConfirmed: emailProvenAt !== null,
    secondFactor: hasFactor ? 'set' : row.isAdministrator ? 'missing' : 'none',
    disabled: disabledAt !== null,
    masterKeyLastUsedAt: row.masterKeyLastUsedAt?.toISOString() ?? null,
  };
}
