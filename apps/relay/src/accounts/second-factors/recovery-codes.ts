import type { Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import { hashLongCode, newRecoveryCode, readRecoveryCode } from '../../credentials/codes.ts';

const codesPerAccount = 10;

/** Replaces the account's codes by new ones. */
export async function replaceRecoveryCodes(trx: Transaction<Tables>, accountId: string): Promise<string[]> {
  await deleteRecoveryCodes(trx, accountId);
  const codes = Array.from({ length: codesPerAccount }, newRecoveryCode);
  const rows = codes.map((code) => ({ hash: hashLongCode(code.replaceAll('-', '')), accountId }));
  await trx.insertInto('recoveryCodes').values(rows).execute();
  return codes;
}

export async function deleteRecoveryCodes(trx: Transaction<Tables>, accountId: string): Promise<void> {
  await trx.deleteFrom('recoveryCodes').where('accountId', '=', accountId).execute();
}

/** Whether it is a code of the account. A code that was right is used up. */
export async function useRecoveryCode(
  trx: Transaction<Tables>,
  accountId: string,
  typed: string,
): Promise<boolean> {
  const code = readRecoveryCode(typed);
  if (code === undefined) return false;
  const { numDeletedRows } = await trx
    .deleteFrom('recoveryCodes')
    .where('hash', '=', hashLongCode(code))
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function countRecoveryCodes(db: Kysely<Tables>, accountId: string): Promise<number> {
  const { left } = await db
    .selectFrom('recoveryCodes')
    .select(sql<string>`count(*)`.as('left'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(left);
}
