import type { AddedFactor } from '@tabletop-relay/contract';
import { newId } from '@tabletop-relay/database';
import type { Tables } from '@tabletop-relay/database';
import type { Insertable, Transaction } from 'kysely';
import type { Sender, SessionPrincipal } from '../../endpoint-handler.ts';
import { ProblemError, invalidFields } from '../../problem.ts';
import type { Records } from '../../records/records.ts';
import { auditOf } from '../../records/sender.ts';
import { withSessionLocked } from '../account-lock.ts';
import type { LockDeps } from '../account-lock.ts';
import { endOtherSessions } from '../passwords/end-other-sessions.ts';
import { describeFactor, factorColumns, readFactors } from './factors.ts';
import type { OneTimeTokens } from './one-time-tokens.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';

export interface AddFactorDeps extends LockDeps {
  records: Pick<Records, 'auditIn'>;
  tokens: OneTimeTokens;
  bounds: { maxPasskeysPerAccount: number };
  now(): number;
}

type NewFactor = Omit<Insertable<Tables['secondFactors']>, 'id' | 'accountId' | 'createdAt' | 'lastUsedAt'>;

/**
 * Keeps a factor that its holder has shown. With the first one the account gets recovery codes, and its other sessions
 * end: they were opened with the password alone.
 */
export async function addFactor(
  deps: AddFactorDeps,
  input: { session: SessionPrincipal; setup: string; factor: NewFactor; sender: Sender; publicUrl: string },
): Promise<AddedFactor> {
  const { session, factor } = input;
  const { accountId, sessionId } = session;
  return await withSessionLocked(deps, { accountId, sessionId }, async (trx, announce) => {
    if (!(await deps.tokens.use(trx, accountId, input.setup))) throw setupInvalid();
    const before = await readFactors(trx, accountId);
    const isFirst = before.length === 0;
    if (factor.kind === 'passkey') checkPasskeyBound(before, deps.bounds.maxPasskeysPerAccount);
    const row = await insertFactor(trx, { ...factor, accountId, id: newId(deps.now()) });
    if (isFirst) await endOtherSessions(trx, announce, accountId, sessionId);
    await deps.records.auditIn(trx, {
      event: 'second_factor.added',
      detail: { kind: factor.kind, name: factor.name },
      accountId,
      subjectId: row.id,
      ...auditOf(input.sender),
    });
    return {
      factor: describeFactor(row, input.publicUrl),
      recoveryCodes: isFirst ? await replaceRecoveryCodes(trx, accountId) : null,
    };
  });
}

export const setupInvalid = () =>
  invalidFields([{ field: 'setup', message: 'is unknown, used or expired, or is not of this session' }]);

function checkPasskeyBound(factors: readonly { kind: string }[], max: number): void {
  if (factors.filter(({ kind }) => kind === 'passkey').length < max) return;
  throw new ProblemError(
    'conflict',
    `An account may have ${max} passkeys, and this one has them. Remove one that is no longer used.`,
  );
}

async function insertFactor(trx: Transaction<Tables>, factor: Insertable<Tables['secondFactors']>) {
  if (factor.kind === 'totp') {
    const old = trx.deleteFrom('secondFactors').where('accountId', '=', factor.accountId);
    await old.where('kind', '=', 'totp').execute();
  }
  const row = await trx
    .insertInto('secondFactors')
    .values(factor)
    .onConflict((conflict) => conflict.column('credentialId').doNothing())
    .returning(factorColumns)
    .executeTakeFirst();
  if (!row) throw new ProblemError('conflict', 'This passkey is set up already.');
  return row;
}
