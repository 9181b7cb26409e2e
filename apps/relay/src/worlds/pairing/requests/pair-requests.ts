import type { PairRequestBody, PairRequestStatus } from '@tabletop-relay/contract';
import { newId } from '@tabletop-relay/database';
import type { Tables } from '@tabletop-relay/database';
import type { Insertable, Selectable, Transaction } from 'kysely';
import type { Logger } from 'pino';
import { withAccountLocked } from '../../../accounts/account-lock.ts';
import { createKeepRequest } from '../../../accounts/keep-requests.ts';
import { hashLongCode, newLongCode, readLongCode } from '../../../credentials/codes.ts';
import { statusOf } from '../../../credentials/request-status.ts';
import type { Sender } from '../../../endpoint-handler.ts';
import { ProblemError, invalidFields } from '../../../problem.ts';
import { codeLifetimeMs, insertPairingCode } from '../pairing-codes.ts';
import { readText, readWorld } from '../pair.ts';
import type { PairingDeps } from '../pair.ts';
import { worldOf } from '../../world-columns.ts';

export interface PairRequestDeps extends PairingDeps {
  log: Logger;
}

export type PairRequestRow = Selectable<Tables['pairRequests']>;

export const pairRequestLifetimeMs = 600_000;

export type KeepPairRequest = (row: Insertable<Tables['pairRequests']>) => Promise<void>;

export const createKeepPairRequest = (deps: PairingDeps): KeepPairRequest =>
  createKeepRequest(deps, {
    table: 'pairRequests',
    maxOpen: deps.bounds.maxOpenPairRequests,
    full: 'Too many worlds wait to be paired at the moment. Nothing was kept: ask again in a minute.',
  });

/** Stores what a world asks for. Anybody may send one, and nothing comes of it before a person approves. */
export async function createPairRequest(
  deps: { keep: KeepPairRequest; now(): number },
  body: PairRequestBody,
  { sender, origin }: { sender: Sender; origin: string },
): Promise<{ code: string; expiresAt: Date }> {
  const world = readWorld(body, origin);
  const code = newLongCode();
  const now = deps.now();
  const expiresAt = new Date(now + pairRequestLifetimeMs);
  await deps.keep({
    ...worldOf(world),
    id: newId(now),
    codeHash: hashLongCode(code),
    origin: world.origin,
    clientId: readClientId(body),
    existingClientId: world.existingClientId || readText(body.clientId),
    serverFingerprint: world.serverFingerprint,
    requestedFrom: sender.ipAddress,
    expiresAt,
  });
  return { code, expiresAt };
}

/** The world whose browser asks for more; null for one that asks to be paired, whatever id it knows. */
function readClientId({ upgradeOnly, clientId }: PairRequestBody): string | null {
  if (upgradeOnly !== true) return null;
  if (typeof clientId === 'string' && /^[\w-]{1,64}$/.test(clientId)) return clientId;
  throw invalidFields([{ field: 'clientId', message: 'must be the id of the paired world' }]);
}

/** Finds a request by its code; throws `not_found`. */
export async function findPairRequest(
  { db }: Pick<PairingDeps, 'db'>,
  typed: string,
): Promise<PairRequestRow> {
  const code = readLongCode(typed);
  const request =
    code === undefined
      ? undefined
      : await db
          .selectFrom('pairRequests')
          .selectAll()
          .where('codeHash', '=', hashLongCode(code))
          .executeTakeFirst();
  if (!request) throw notFound();
  return request;
}

export const notFound = () => new ProblemError('not_found', 'No such pair request.');

/** The rows that a poll made, for the case that its answer does not arrive. */
export interface HandedOut {
  requestId: string;
  codeId: string;
}

/** Handles a poll. The first one after the approval gets the pairing code. */
export async function pollPairRequest(
  deps: PairingDeps,
  typed: string,
): Promise<{ answer: PairRequestStatus; handedOut?: HandedOut }> {
  const request = await findPairRequest(deps, typed);
  const status = statusOf(request, deps.now());
  if (status !== 'approved' || request.accountId === null) return { answer: { status } };
  if (request.clientId !== null) return { answer: { status, upgraded: true } };
  const { accountId } = request;
  try {
    return await withAccountLocked(deps, { accountId }, (trx) => handOutCode(trx, deps, request.id));
  } catch (error) {
    // The account is blocked. That may end, while any refusal ends the pairing.
    if (error instanceof ProblemError && error.status === 403) return { answer: { status: 'pending' } };
    throw error;
  }
}

async function handOutCode(
  trx: Transaction<Tables>,
  deps: PairingDeps,
  requestId: string,
): Promise<{ answer: PairRequestStatus; handedOut?: HandedOut }> {
  const request = await lockRequest(trx, requestId);
  const now = deps.now();
  const status = statusOf(request, now);
  if (status !== 'approved' || request.accountId === null) return { answer: { status } };
  const { allowedTargetClients, remoteScopes, ipAllowlist, joinsClientId } = request;
  if (joinsClientId !== null && !(await lockClient(trx, joinsClientId))) {
    await setStatus(trx, requestId, 'denied');
    return { answer: { status: 'denied' } };
  }
  const { id: codeId, code } = await insertPairingCode(trx, deps, {
    accountId: request.accountId,
    clientId: joinsClientId,
    worldId: request.worldId,
    origin: request.origin,
    allowedTargetClients,
    remoteScopes,
    ipAllowlist,
    createdFrom: request.requestedFrom,
    expiresAt: new Date(now + codeLifetimeMs),
  });
  await setStatus(trx, requestId, 'exchanged');
  return { answer: { status, pairingCode: code }, handedOut: { requestId, codeId } };
}

/** Keeps the world that the code is of from being deleted until it is written; false where it was deleted. */
async function lockClient(trx: Transaction<Tables>, clientId: string): Promise<boolean> {
  const found = trx.selectFrom('knownClients').select('clientId').where('clientId', '=', clientId);
  return (await found.forKeyShare().executeTakeFirst()) !== undefined;
}

async function setStatus(
  trx: Transaction<Tables>,
  id: string,
  status: 'exchanged' | 'denied',
): Promise<void> {
  await trx.updateTable('pairRequests').set({ status }).where('id', '=', id).execute();
}

/** Takes back a code that did not reach its module, unless it was used all the same. The next poll gets another one. */
export async function takeBackCode({ db }: Pick<PairingDeps, 'db'>, handedOut: HandedOut): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('pairingCodes')
      .where('id', '=', handedOut.codeId)
      .where('usedAt', 'is', null)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return;
    await trx
      .updateTable('pairRequests')
      .set({ status: 'approved' })
      .where('id', '=', handedOut.requestId)
      .where('status', '=', 'exchanged')
      .execute();
  });
}

/** Reads a request and locks it until the transaction ends; throws `not_found`. */
export async function lockRequest(trx: Transaction<Tables>, id: string): Promise<PairRequestRow> {
  const request = await trx
    .selectFrom('pairRequests')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!request) throw notFound();
  return request;
}
