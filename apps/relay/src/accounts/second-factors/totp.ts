import type { Tables } from '@tabletop-relay/database';
import type { Kysely, Transaction } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import type { Sealer } from '@tabletop-relay/database';
import { sealedColumn } from '../../credentials/sealed-column.ts';

/** RFC 6238 as every authenticator app has it. */
const terms = { algorithm: 'SHA1', digits: 6, period: 30 };
/** A code of the step before and after is taken too: clocks differ. */
const window = 1;

export function newTotp(email: string): { secret: string; uri: string } {
  const secret = new Secret({ size: 20 });
  const uri = new TOTP({ ...terms, issuer: 'Tabletop Relay', label: email, secret }).toString();
  return { secret: secret.base32, uri };
}

/** The step that a code belongs to; undefined for a wrong one. */
export function findStep(secret: string, code: string, now: number): number | undefined {
  const totp = new TOTP({ ...terms, secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token: code.replaceAll(' ', ''), timestamp: now, window });
  return delta === null ? undefined : TOTP.counter({ period: terms.period, timestamp: now }) + delta;
}

/** What the secret of an account is sealed as. */
export const totpContext = (accountId: string) => `totp ${accountId}`;

export const sealedTotp = sealedColumn('secondFactors', {
  holds: 'authenticator apps',
  column: 'sealedSecret',
  contextOf: ({ accountId }) => totpContext(accountId),
});

/** The authenticator app of an account. Its secret is undefined where another RELAY_SECRET sealed it. */
interface Totp {
  id: string;
  secret: string | undefined;
}

export async function readTotp(
  db: Kysely<Tables>,
  sealer: Sealer,
  accountId: string,
): Promise<Totp | undefined> {
  const factor = await db
    .selectFrom('secondFactors')
    .select(['id', 'sealedSecret'])
    .where('accountId', '=', accountId)
    .where('kind', '=', 'totp')
    .executeTakeFirst();
  return factor && { id: factor.id, secret: sealer.open(factor.sealedSecret ?? '', totpContext(accountId)) };
}

/** Whether the code is right and newer than the last right one. If so, it becomes the last. */
export async function useTotp(
  trx: Transaction<Tables>,
  sealer: Sealer,
  input: { accountId: string; code: string; now: number },
): Promise<boolean> {
  const factor = await readTotp(trx, sealer, input.accountId);
  if (factor?.secret === undefined) return false;
  const step = findStep(factor.secret, input.code, input.now);
  if (step === undefined) return false;
  const { numUpdatedRows } = await trx
    .updateTable('secondFactors')
    .set({ lastStep: step, lastUsedAt: new Date(input.now) })
    .where('id', '=', factor.id)
    .where('lastStep', '<', step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
