import type { FactorKind, SecondFactor, SecondFactors } from '@tabletop-relay/contract';
import type { Database, Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Kysely, Selectable } from 'kysely';
import { passkeySite } from './passkey-site.ts';
import { countRecoveryCodes } from './recovery-codes.ts';

/** Whether the account of this row has a second factor: a column for queries of `accounts`. */
export const hasSecondFactor = sql<boolean>`exists (
  select from second_factors where second_factors.account_id = accounts.id)`;

/** The kinds that can be set up at this address. */
function offeredKinds(publicUrl: string): FactorKind[] {
  return passkeySite(publicUrl) ? ['totp', 'passkey'] : ['totp'];
}

export const factorColumns = ['id', 'kind', 'name', 'createdAt', 'lastUsedAt', 'rpId'] as const;

type FactorRow = Pick<Selectable<Tables['secondFactors']>, (typeof factorColumns)[number]>;

export function describeFactor(
  { rpId, createdAt, lastUsedAt, ...row }: FactorRow,
  publicUrl: string,
): SecondFactor {
  return {
    ...row,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    usable: row.kind === 'totp' || rpId === passkeySite(publicUrl)?.rpId,
  };
}

export async function readFactors(db: Kysely<Tables>, accountId: string): Promise<FactorRow[]> {
  return await db
    .selectFrom('secondFactors')
    .select(factorColumns)
    .where('accountId', '=', accountId)
    .orderBy('id')
    .execute();
}

export async function listSecondFactors(
  db: Database,
  { accountId, isAdministrator }: { accountId: string; isAdministrator: boolean },
  publicUrl: string,
): Promise<SecondFactors> {
  const rows = await readFactors(db, accountId);
  return {
    items: rows.map((row) => describeFactor(row, publicUrl)),
    recoveryCodesLeft: await countRecoveryCodes(db, accountId),
    required: isAdministrator,
    offered: offeredKinds(publicUrl),
  };
}
