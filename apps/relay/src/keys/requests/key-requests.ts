import { describeActingUsers, scopesAsAsked } from '@tabletop-relay/contract';
import type { KeyRequestStatus } from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import type { Selectable, Transaction } from 'kysely';
import { hash, timingSafeEqual } from 'node:crypto';
import type { Announce } from '../../credentials/changes/credential-feed.ts';
import { hashLongCode, readLongCode } from '../../credentials/codes.ts';
import { statusOf } from '../../credentials/request-status.ts';
import { ProblemError } from '../../problem.ts';
import { withAccountLocked } from '../../accounts/account-lock.ts';
import type { Reach } from '../../worlds/acting-users.ts';
import { revokeApiKey } from '../api-keys.ts';
import { insertApiKey } from '../write-key.ts';
import type { ApiKeyDeps } from '../write-key.ts';
import { checkKeyBound } from '../bounds.ts';
import type { Sender } from '../../endpoint-handler.ts';
import { auditOf } from '../../records/sender.ts';

export type KeyRequestRow = Selectable<Tables['keyRequests']>;

export const keyRequestLifetimeMs = 600_000;

/** Finds a request by its code; throws `not_found`. */
export async function findKeyRequest({ db }: Pick<ApiKeyDeps, 'db'>, typed: string): Promise<KeyRequestRow> {
  const code = readLongCode(typed);
  const request =
    code === undefined
      ? undefined
      : await db
          .selectFrom('keyRequests')
          .selectAll()
          .where('codeHash', '=', hashLongCode(code))
          .executeTakeFirst();
  if (!request) throw new ProblemError('not_found', 'No such key request.');
  return request;
}

/** What was approved, in the words of who asked; no worlds: all of the account. */
export interface Grant {
  scopes: string[];
  clientIds: string[];
  users: ReturnType<typeof describeActingUsers>;
}

export interface Collected extends Grant {
  keyId: string;
  accountId: string;
  apiKey: string;
}

const grantedBy = (request: KeyRequestRow): Grant => ({
  scopes: scopesAsAsked(request.grantedScopes ?? [], request.askedScopes),
  clientIds: [...(reachOf(request).clientIds ?? [])],
  users: describeActingUsers(request.grantedActingUserIds),
});

const reachOf = ({ grantedClientIds, grantedActingUserIds }: KeyRequestRow): Reach => ({
  clientIds: grantedActingUserIds ? Object.keys(grantedActingUserIds) : grantedClientIds,
  actingUserIds: grantedActingUserIds,
});

interface Poll {
  status: KeyRequestStatus['status'];
  /** What was approved, in the web flow, whose key comes by the exchange. */
  granted?: Grant;
  collected?: Collected;
}

/** Handles a poll. In the device flow the first one with the right verifier after the approval gets the key. */
export async function pollKeyRequest(
  deps: ApiKeyDeps,
  input: { code: string; verifier: string | undefined; sender: Sender },
): Promise<Poll> {
  const request = await findKeyRequest(deps, input.code);
  const status = statusOf(request, deps.now());
  if (!isVerified(request, input.verifier)) return { status };
  const isGranted = status === 'approved' || status === 'exchanged';
  if (request.callbackUrl !== null) return { status, ...(isGranted && { granted: grantedBy(request) }) };
  if (status !== 'approved') return { status };
  try {
    const collected = await collect(deps, request.id, input.sender);
    return { status: 'approved', collected };
  } catch (error) {
    // The approver's account is blocked, or another poll was faster, so this poll gets only the status. `conflict` means
    // that the account has too many keys. The caller is told that, because the owner can make room and poll again.
    if (!(error instanceof ProblemError) || error.code === 'conflict') throw error;
    return { status: statusOf(await findKeyRequest(deps, input.code), deps.now()) };
  }
}

/** Exchanges the code of the web flow for the key. A second use means that the code leaked, so the key is revoked. */
export async function exchangeCode(
  deps: ApiKeyDeps,
  input: { code: string; verifier: string | undefined; sender: Sender },
): Promise<Collected> {
  const code = readLongCode(input.code);
  const request =
    code === undefined
      ? undefined
      : await deps.db
          .selectFrom('keyRequests')
          .selectAll()
          .where('exchangeCodeHash', '=', hashLongCode(code))
          .executeTakeFirst();
  if (!request) throw new ProblemError('not_found', 'No such exchange code.');
  if (!isVerified(request, input.verifier)) {
    throw new ProblemError(
      'forbidden',
      'The x-poll-verifier header does not fit the request’s pollChallenge.',
    );
  }
  try {
    return await collect(deps, request.id, input.sender);
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'code_used') throw error;
  }
  const exchanged = await deps.db
    .selectFrom('keyRequests')
    .select(['accountId', 'keyId'])
    .where('id', '=', request.id)
    .executeTakeFirst();
  await revokeCollected(deps, exchanged, 'exchanged twice');
  throw new ProblemError('code_used', 'This code was exchanged before. The key that it gave is revoked.');
}

/** Revokes a key that somebody else may have, or that nobody received. The audit log has the reason. */
export async function revokeCollected(
  deps: Pick<ApiKeyDeps, 'feed' | 'records'>,
  collected: { accountId: string | null; keyId: string | null } | undefined,
  why: string,
): Promise<void> {
  if (!collected?.accountId || !collected.keyId) return;
  const { accountId, keyId } = collected;
  await revokeApiKey(deps, { accountId, id: keyId, record: { actor: 'relay', detail: { why } } });
}

/** Creates the key. Account, expiry and status are checked under a lock, so only one caller gets the key. */
async function collect(deps: ApiKeyDeps, requestId: string, sender: Sender): Promise<Collected> {
  const found = await deps.db
    .selectFrom('keyRequests')
    .select('accountId')
    .where('id', '=', requestId)
    .executeTakeFirst();
  const accountId = found?.accountId;
  if (!accountId) throw new ProblemError('not_found');
  return await withAccountLocked(deps, { accountId }, async (trx, announce) => {
    const now = deps.now();
    const request = await lockRequest(trx, requestId);
    if (request.status === 'exchanged') throw new ProblemError('code_used');
    if (statusOf(request, now) !== 'approved' || request.accountId !== accountId) {
      // Only an exchange shows this text. A poll answers with the status.
      throw new ProblemError('code_expired', 'Exchange codes live for 60 seconds.');
    }
    await checkKeyBound(trx, deps.bounds, { accountId, now, isReserved: true });
    const collected = await makeKey(trx, { request: { ...request, accountId }, now, announce });
    await deps.records.auditIn(trx, {
      accountId,
      event: 'key_request.collected',
      subjectId: collected.keyId,
      ...auditOf(sender),
    });
    return collected;
  });
}

async function makeKey(
  trx: Transaction<Tables>,
  input: { request: KeyRequestRow & { accountId: string }; now: number; announce: Announce },
): Promise<Collected> {
  const { request, now, announce } = input;
  const { id, apiKey } = await insertApiKey(trx, {
    accountId: request.accountId,
    now,
    announce,
    terms: {
      name: request.appName,
      scopes: request.grantedScopes ?? [],
      ...reachOf(request),
      monthlyLimit: request.grantedMonthlyLimit,
      expiresAt: request.grantedExpiresAt,
    },
  });
  await trx
    .updateTable('keyRequests')
    .set({ status: 'exchanged', keyId: id })
    .where('id', '=', request.id)
    .execute();
  return { keyId: id, accountId: request.accountId, apiKey, ...grantedBy(request) };
}

/** Reads a request and locks it until the transaction ends; throws `not_found`. */
export async function lockRequest(trx: Transaction<Tables>, id: string): Promise<KeyRequestRow> {
  const request = await trx
    .selectFrom('keyRequests')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!request) throw new ProblemError('not_found', 'No such key request.');
  return request;
}

/** Whether the request has no `pollChallenge`, or the verifier matches it. */
function isVerified(request: KeyRequestRow, verifier: string | undefined): boolean {
  if (request.pollChallenge === null) return true;
  if (verifier === undefined) return false;
  return timingSafeEqual(
    Buffer.from(hash('sha256', verifier, 'base64url')),
    Buffer.from(request.pollChallenge),
  );
}
