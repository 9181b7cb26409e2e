import type { InputOf, KeyRequest, KeyRequestDecision, keyRequestEndpoints } from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import type { Transaction } from 'kysely';
import { hashLongCode, newLongCode } from '../../credentials/codes.ts';
import { statusOf } from '../../credentials/request-status.ts';
import { ProblemError, invalidFields } from '../../problem.ts';
import { decideRequest } from '../../accounts/decide-request.ts';
import { readKeyTerms } from '../write-key.ts';
import type { ApiKeyDeps } from '../write-key.ts';
import type { Sender, SessionPrincipal } from '../../endpoint-handler.ts';
import { findKeyRequest, keyRequestLifetimeMs, lockRequest } from './key-requests.ts';
import type { KeyRequestRow } from './key-requests.ts';
import { changeReach, checkScopesOfUser, worldsColumn } from '../../worlds/acting-users.ts';
import { checkOwnClients } from '../../worlds/find-clients.ts';
import { checkKeyBound } from '../bounds.ts';

const exchangeLifetimeMs = 60_000;

type Approval = InputOf<(typeof keyRequestEndpoints)['approveKeyRequest']>['body'];

/** A request as the approving person sees it. After the decision only the account that decided may read it. */
export async function showKeyRequest(
  deps: Pick<ApiKeyDeps, 'db' | 'now'>,
  accountId: string,
  code: string,
): Promise<KeyRequest> {
  const request = await findKeyRequest(deps, code);
  if (request.accountId !== null && request.accountId !== accountId) {
    throw new ProblemError('not_found', 'No such key request.');
  }
  const { appName, appDescription, appUrl, scopes, suggestedMonthlyLimit, requestedFrom } = request;
  return {
    appName,
    appDescription,
    appUrl,
    scopes,
    suggestedMonthlyLimit,
    suggestedClientIds: request.suggestedClientIds ?? [],
    suggestedActingUserIds: request.suggestedActingUserIds,
    suggestedExpiry: request.suggestedExpiresAt?.toISOString() ?? null,
    requestedFrom,
    callbackHost: request.callbackUrl && new URL(request.callbackUrl).host,
    status: statusOf(request, deps.now()),
    createdAt: request.createdAt.toISOString(),
    expiresAt: request.expiresAt.toISOString(),
  };
}

/** Approves a request as it is or with narrower terms. The key is created only when it is collected. */
export async function approveKeyRequest(
  deps: ApiKeyDeps,
  input: { session: SessionPrincipal; code: string; approval: Approval; sender: Sender },
): Promise<KeyRequestDecision> {
  const { session, approval } = input;
  const { accountId } = session;
  const now = deps.now();
  const terms = readKeyTerms(approval, now);
  const exchangeCode = newLongCode();
  const request = await decide(deps, input, async (trx, row) => {
    const granted = terms.scopes ?? row.scopes;
    const widened = granted.find((scope) => !row.scopes.includes(scope));
    if (widened !== undefined) {
      throw invalidFields([{ field: 'scopes', message: `has ${widened}, which was not asked for` }]);
    }
    const suggested = suggestedTerms(row, now);
    const { monthlyLimit, expiresAt } = { ...suggested, ...terms };
    const reach = changeReach(suggested, approval);
    const { clientIds, actingUserIds } = reach;
    checkScopesOfUser(actingUserIds, granted);
    await checkOwnClients(trx, accountId, clientIds ?? []);
    await checkKeyBound(trx, deps.bounds, { accountId, now });
    const isWebFlow = row.callbackUrl !== null;
    return {
      status: 'approved',
      grantedScopes: granted,
      grantedClientIds: worldsColumn(reach),
      grantedActingUserIds: actingUserIds,
      grantedMonthlyLimit: monthlyLimit,
      grantedExpiresAt: expiresAt,
      exchangeCodeHash: isWebFlow ? hashLongCode(exchangeCode) : null,
      expiresAt: new Date(now + (isWebFlow ? exchangeLifetimeMs : keyRequestLifetimeMs)),
    };
  });
  return { status: 'approved', ...redirect(request, { code: exchangeCode }) };
}

/** What holds where the approving person says nothing of it. A time that is over by now would end the key at once. */
function suggestedTerms(row: KeyRequestRow, now: number) {
  const { suggestedMonthlyLimit, suggestedClientIds, suggestedActingUserIds, suggestedExpiresAt } = row;
  const isAhead = suggestedExpiresAt !== null && suggestedExpiresAt.getTime() > now;
  return {
    monthlyLimit: suggestedMonthlyLimit,
    clientIds: suggestedClientIds,
    actingUserIds: suggestedActingUserIds,
    expiresAt: isAhead ? suggestedExpiresAt : null,
  };
}

export async function denyKeyRequest(
  deps: ApiKeyDeps,
  input: { session: SessionPrincipal; code: string; sender: Sender },
): Promise<KeyRequestDecision> {
  const request = await decide(deps, input, () => Promise.resolve({ status: 'denied' }));
  return { status: 'denied', ...redirect(request, { error: 'access_denied' }) };
}

type Decision = Partial<Omit<KeyRequestRow, 'id' | 'createdAt'>> & { status: 'approved' | 'denied' };
type Decide = (trx: Transaction<Tables>, request: KeyRequestRow) => Promise<Decision>;

async function decide(
  deps: ApiKeyDeps,
  { session, code, sender }: { session: SessionPrincipal; code: string; sender: Sender },
  work: Decide,
): Promise<KeyRequestRow> {
  const found = await findKeyRequest(deps, code);
  const { accountId } = session;
  const store = (trx: Transaction<Tables>, decision: Decision) =>
    trx
      .updateTable('keyRequests')
      .set({ ...decision, accountId })
      .where('id', '=', found.id)
      .execute();
  await decideRequest(
    deps,
    { session, sender },
    {
      lock: (trx) => lockRequest(trx, found.id),
      decide: work,
      store,
      record: (request, decision) => ({
        event: `key_request.${decision.status}`,
        detail: describe(request, decision),
      }),
    },
  );
  return found;
}

/** A refusal grants nobody anything. */
const describe = ({ appName }: KeyRequestRow, { grantedScopes, grantedActingUserIds }: Decision) => ({
  appName,
  scopes: grantedScopes ?? [],
  ...(grantedActingUserIds && { actingUserIds: grantedActingUserIds }),
});

function redirect(request: KeyRequestRow, query: Record<string, string>): { redirectUrl?: string } {
  if (request.callbackUrl === null) return {};
  const url = new URL(request.callbackUrl);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return { redirectUrl: url.href };
}
