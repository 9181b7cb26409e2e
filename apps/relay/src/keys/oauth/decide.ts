import type {
  InputOf,
  SignInDecision,
  SignInRequest,
  signInRequestEndpoints,
} from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import type { Selectable, Transaction } from 'kysely';
import { decideRequest } from '../../accounts/decide-request.ts';
import { hashLongCode, newLongCode, readLongCode } from '../../credentials/codes.ts';
import { statusOf } from '../../credentials/request-status.ts';
import type { Caller, SessionPrincipal } from '../../endpoint-handler.ts';
import { ProblemError } from '../../problem.ts';
import { changeReach, checkScopesOfUser, worldsColumn } from '../../worlds/acting-users.ts';
import { checkOwnClients } from '../../worlds/find-clients.ts';
import { checkKeyBound } from '../bounds.ts';
import { readKeyTerms } from '../write-key.ts';
import type { ApiKeyDeps } from '../write-key.ts';
import { checkBrowser } from './authorize.ts';
import { keyNameOf, readGrantOf } from './grants.ts';
import { readIssuer } from './issuer.ts';
import { hostOf } from './redirects.ts';
import { checkSignInScopes } from './sign-in-scopes.ts';

export type OAuthRequestRow = Selectable<Tables['oauthRequests']>;

type Decider = Pick<Caller, 'cookies' | 'sender' | 'publicUrl'> & { session: SessionPrincipal };
type Approval = InputOf<(typeof signInRequestEndpoints)['approveSignInRequest']>['body'];

const codeLifetimeMs = 60_000;

/** A request as the person sees it who decides. After the decision only the account that decided may read it. */
export async function showSignInRequest(
  deps: Pick<ApiKeyDeps, 'db' | 'now'>,
  code: string,
  { session: { accountId }, cookies }: Decider,
): Promise<SignInRequest> {
  const request = await findRequest(deps, code);
  if (request.accountId !== null && request.accountId !== accountId) throw noSuchRequest();
  checkBrowser(cookies, request);
  const replaced = await readGrantOf(deps.db, { accountId, clientIdHash: request.clientIdHash });
  return {
    clientName: request.clientName,
    host: hostOf(request.redirectUri),
    scopes: request.scopes,
    replaces: replaced ? { name: replaced.name, createdAt: replaced.createdAt.toISOString() } : null,
    requestedFrom: request.requestedFrom,
    status: statusOf(request, deps.now()),
    createdAt: request.createdAt.toISOString(),
    expiresAt: request.expiresAt.toISOString(),
  };
}

/** Signs the program in on the terms of the body. The grant comes about when its code is exchanged. */
export async function approveSignInRequest(
  deps: ApiKeyDeps,
  code: string,
  { approval, decider }: { approval: Approval; decider: Decider },
): Promise<SignInDecision> {
  const { accountId } = decider.session;
  const now = deps.now();
  const { scopes = [], monthlyLimit = null, expiresAt = null } = readKeyTerms(approval, now);
  checkSignInScopes(scopes);
  const reach = changeReach({ clientIds: null, actingUserIds: null }, approval);
  checkScopesOfUser(reach.actingUserIds, scopes);
  const exchangeCode = newLongCode();
  const request = await decide(deps, code, decider, async (trx, { clientIdHash }) => {
    await checkOwnClients(trx, accountId, reach.clientIds ?? []);
    const isReplacing = (await readGrantOf(trx, { accountId, clientIdHash })) !== undefined;
    if (!isReplacing) await checkKeyBound(trx, deps.bounds, { accountId, now });
    return {
      status: 'approved',
      grantedScopes: [...scopes],
      grantedClientIds: worldsColumn(reach),
      grantedActingUserIds: reach.actingUserIds,
      grantedMonthlyLimit: monthlyLimit,
      grantedExpiresAt: expiresAt,
      exchangeCodeHash: hashLongCode(exchangeCode),
      expiresAt: new Date(now + codeLifetimeMs),
    };
  });
  return { status: 'approved', redirectUrl: backTo(request, decider.publicUrl, { code: exchangeCode }) };
}

export async function denySignInRequest(
  deps: ApiKeyDeps,
  code: string,
  decider: Decider,
): Promise<SignInDecision> {
  const request = await decide(deps, code, decider, () => Promise.resolve({ status: 'denied' }));
  return {
    status: 'denied',
    redirectUrl: backTo(request, decider.publicUrl, { error: 'access_denied' }),
  };
}

type Decision = Partial<Omit<OAuthRequestRow, 'id' | 'createdAt'>> & { status: 'approved' | 'denied' };

/** Decides a pending request, once, and only from the browser that opened it. */
async function decide(
  deps: ApiKeyDeps,
  code: string,
  { session, cookies, sender }: Decider,
  work: (trx: Transaction<Tables>, request: OAuthRequestRow) => Promise<Decision>,
): Promise<OAuthRequestRow> {
  const found = await findRequest(deps, code);
  checkBrowser(cookies, found);
  const { accountId } = session;
  const store = (trx: Transaction<Tables>, decision: Decision) =>
    trx
      .updateTable('oauthRequests')
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
        event: `assistant.${decision.status}`,
        detail: describe(request, decision),
      }),
    },
  );
  return found;
}

const describe = (request: OAuthRequestRow, { grantedScopes, grantedActingUserIds }: Decision) => ({
  name: keyNameOf(request),
  scopes: grantedScopes ?? [],
  ...(grantedActingUserIds && { actingUserIds: grantedActingUserIds }),
});

/** RFC 9207: `iss` says whose answer it is. */
function backTo(
  { redirectUri, state }: OAuthRequestRow,
  publicUrl: string,
  answer: Record<string, string>,
): string {
  const url = new URL(redirectUri);
  const query = { ...answer, ...(state !== null && { state }), iss: readIssuer(publicUrl) };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

const noSuchRequest = () => new ProblemError('not_found', 'No such request.');

async function findRequest({ db }: Pick<ApiKeyDeps, 'db'>, typed: string): Promise<OAuthRequestRow> {
  const code = readLongCode(typed);
  const request =
    code &&
    (await db
      .selectFrom('oauthRequests')
      .selectAll()
      .where('codeHash', '=', hashLongCode(code))
      .executeTakeFirst());
  if (!request) throw noSuchRequest();
  return request;
}

/** Reads a request and locks it until the transaction ends; throws `not_found`. */
export async function lockRequest(trx: Transaction<Tables>, id: string): Promise<OAuthRequestRow> {
  const request = await trx
    .selectFrom('oauthRequests')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!request) throw noSuchRequest();
  return request;
}
