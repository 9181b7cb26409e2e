import type { InputOf, pairingEndpoints } from '@tabletop-relay/contract';
import { newId } from '@tabletop-relay/database';
import type { Tables } from '@tabletop-relay/database';
import type { Insertable, Transaction } from 'kysely';
import { withAccountLocked } from '../../accounts/account-lock.ts';
import { hmacCode, newPairingCode } from '../../credentials/codes.ts';
import type { Sender, SessionPrincipal } from '../../endpoint-handler.ts';
import { auditOf } from '../../records/sender.ts';
import { checkBrowserBound } from '../bounds.ts';
import { readAllowlist } from '../connection-tokens.ts';
import { checkOwnClients } from '../find-clients.ts';
import type { PairingDeps } from './pair.ts';

export const codeLifetimeMs = 600_000;
const maxPlainCodes = 5;

/** A code for a new world or, with `clientId`, for another browser of that world. The oldest beyond the limit ends. */
export async function createPairingCode(
  deps: Omit<PairingDeps, 'db'>,
  input: {
    session: SessionPrincipal;
    body: InputOf<(typeof pairingEndpoints)['createPairingCode']>['body'];
    sender: Sender;
  },
): Promise<{ code: string; expiresAt: Date }> {
  const { session, body } = input;
  const { accountId } = session;
  const allowlist = readAllowlist(body.ipAllowlist ?? '');
  const now = deps.now();
  const expiresAt = new Date(now + codeLifetimeMs);
  return await withAccountLocked(deps, session, async (trx) => {
    const { clientId, allowedTargetClients = [], remoteScopes = [] } = body;
    await checkOwnClients(trx, accountId, [
      ...(clientId === undefined ? [] : [clientId]),
      ...allowedTargetClients,
    ]);
    // The person who makes the code is told, because the one who types it in could do nothing about it.
    if (clientId !== undefined) await checkBrowserBound(trx, deps.bounds, clientId);
    const { id, code } = await insertPairingCode(trx, deps, {
      accountId,
      clientId: clientId ?? null,
      worldId: null,
      origin: null,
      allowedTargetClients,
      remoteScopes,
      ipAllowlist: allowlist,
      createdFrom: input.sender.ipAddress,
      expiresAt,
    });
    await deps.records.auditIn(trx, {
      accountId,
      event: 'pairing_code.created',
      actor: 'session',
      clientId: clientId ?? null,
      subjectId: id,
      ...auditOf(input.sender),
    });
    return { code, expiresAt };
  });
}

type NewCode = Omit<Insertable<Tables['pairingCodes']>, 'id' | 'codeHmac' | 'usedAt' | 'createdAt'>;

/** Stores a new code. The oldest codes of its kind end where the account has too many. */
export async function insertPairingCode(
  trx: Transaction<Tables>,
  deps: Pick<PairingDeps, 'secrets' | 'now'>,
  values: NewCode,
): Promise<{ id: string; code: string }> {
  await endOldCodes(trx, values);
  for (;;) {
    const id = newId(deps.now());
    const code = newPairingCode();
    const inserted = await trx
      .insertInto('pairingCodes')
      .values({ ...values, id, codeHmac: hmacCode(deps.secrets[0], 'pairing-code', code) })
      .onConflict((conflict) => conflict.column('codeHmac').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (inserted) return { id, code };
  }
}

/**
 * Makes room for one more: one live Add Browser code per client, five plain codes per account. Codes of requests count
 * apart, so that none ends the code that a person is about to type in.
 */
async function endOldCodes(
  trx: Transaction<Tables>,
  { accountId, clientId = null, worldId = null }: NewCode,
): Promise<void> {
  const isOfRequest = worldId !== null;
  const live = await trx
    .selectFrom('pairingCodes')
    .select('id')
    .where('accountId', '=', accountId)
    .where('clientId', 'is not distinct from', clientId)
    .where('usedAt', 'is', null)
    .where('worldId', isOfRequest ? 'is not' : 'is', null)
    .orderBy('id', 'desc')
    .forUpdate()
    .execute();
  const kept = clientId === null || isOfRequest ? maxPlainCodes - 1 : 0;
  const surplus = live.slice(kept).map((row) => row.id);
  if (surplus.length > 0) await trx.deleteFrom('pairingCodes').where('id', 'in', surplus).execute();
}
