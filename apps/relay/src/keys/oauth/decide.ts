import type {
  InputOf,
  SignInDecision,
  SignInRequest,
  signInRequestEndpoints,
} from '@tabletop-relay/contract';
import { newId } from '@tabletop-relay/database';
import type { Tables } from '@tabletop-relay/database';
import type { Insertable, Transaction } from 'kysely';
import { decideRequest } from '../../accounts/decide-request.ts';
import { hashLongCode, newLongCode } from '../../credentials/codes.ts';
import { statusOf } from '../../credentials/request-status.ts';
import type { Caller, SessionPrincipal } from '../../endpoint-handler.ts';
import { ProblemError } from '../../problem.ts';
import { changeReach, checkScopesOfUser, worldsColumn } from '../../worlds/acting-users.ts';
import { checkOwnClients } from '../../worlds/find-clients.ts';
import { checkKeyBound } from '../bounds.ts';
import { readKeyTerms } from '../write-key.ts';
import type { ApiKeyDeps } from '../write-key.ts';
import { askedLifetimeMs, askingClient, noSuchRequest, readAsked } from './asked.ts';
import type { AskedDeps, AskingClient } from './asked.ts';
import { keyNameOf, readGrantOf } from './grants.ts';
import { readIssuer } from './issuer.ts';
import { hostOf } from './redirects.ts';
import { checkSignInScopes } from './sign-in-scopes.ts';

export type DecideDeps = ApiKeyDeps & AskedDeps;

type Decider = Pick<Caller, 'cookies' | 'sender' | 'publicUrl'> & { session: SessionPrincipal };
type Approval = Omit<InputOf<(typeof signInRequestEndpoints)['approveSignInRequest']>['body'], 'code'>;

const codeLifetimeMs = 60_000;

/** A request as the person sees it who decides. After the decision only the account that decided may read it. */
export async function showSignInRequest(
  deps: Pick<DecideDeps, 'db' | 'now' | keyof AskedDeps>,
  code: string,
  { session: { accountId }, cookies }: Decider,
): Promise<SignInRequest> {
  const asked = readAsked(deps, code, cookies);
  const expiresAtMs = asked.atMs + askedLifetimeMs;
  const decided = await deps.db
    .selectFrom('oauthRequests')
    .select(['accountId', 'clientName', 'status', 'expiresAt'])
    .where('codeHash', '=', hashLongCode(code))
    .executeTakeFirst();
  if (decided && decided.accountId !== accountId) throw noSuchRequest();
  const isOver = decided !== undefined || expiresAtMs <= deps.now();
  const client = isOver ? undefined : await askingClient(deps, asked, accountId);
  const refusal = typeof client === 'string' ? client : null;
  const asking = typeof client === 'object' ? client : undefined;
  const replaced = asking && (await readGrantOf(deps.db, { accountId, clientIdHash: asking.clientIdHash }));
  return {
    clientName: decided?.clientName ?? asking?.clientName ?? '',
    // Of one that is refused it is not known whether it may lead there.
    host: refusal === null ? hostOf(asked.redirectUri) : null,
    scopes: asked.scopes,
    replaces: replaced ? { name: replaced.name, createdAt: replaced.createdAt.toISOString() } : null,
    requestedFrom: asked.requestedFrom,
    status: decided ? statusOf(decided, deps.now()) : isOver ? 'expired' : 'pending',
    refusal,
    createdAt: new Date(asked.atMs).toISOString(),
    expiresAt: new Date(expiresAtMs).toISOString(),
  };
}

/** Signs the program in on the terms of the body. The grant comes about when its code is exchanged. */
export async function approveSignInRequest(
  deps: DecideDeps,
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
  deps: DecideDeps,
  code: string,
  decider: Decider,
): Promise<SignInDecision> {
  const request = await decide(deps, code, decider, (_trx, { expiresAt }) =>
    Promise.resolve({ status: 'denied', expiresAt }),
  );
  return {
    status: 'denied',
    redirectUrl: backTo(request, decider.publicUrl, { error: 'access_denied' }),
  };
}

type Row = Insertable<Tables['oauthRequests']>;
type Decision = Partial<Row> & { status: 'approved' | 'denied'; expiresAt: Date };

/** What is known before the decision. Of it the row is made, which comes about with the decision. */
interface Pending extends AskingClient {
  id: string;
  status: 'pending';
  redirectUri: string;
  state: string | null;
  expiresAt: Date;
}

/** Decides a pending request, once, and only from the browser that opened it. */
async function decide(
  deps: DecideDeps,
  code: string,
  { session, cookies, sender }: Decider,
  work: (trx: Transaction<Tables>, request: Pending) => Promise<Decision>,
): Promise<Pending> {
  const asked = readAsked(deps, code, cookies);
  const client = await askingClient(deps, asked, session.accountId);
  if (typeof client === 'string')
    throw new ProblemError(
      'conflict',
      `The program cannot be signed in now (${client}). Start again from the program.`,
    );
  const { redirectUri, state, challenge, scopes, requestedFrom, atMs } = asked;
  const pending: Pending = {
    ...client,
    id: newId(deps.now()),
    status: 'pending',
    redirectUri,
    state,
    expiresAt: new Date(atMs + askedLifetimeMs),
  };
  const store = async (trx: Transaction<Tables>, decision: Decision) => {
    const stored = await trx
      .insertInto('oauthRequests')
      .values({
        ...client,
        id: pending.id,
        codeHash: hashLongCode(code),
        browserHash: Buffer.from(asked.browser, 'base64url'),
        redirectUri,
        challenge,
        scopes,
        requestedFrom,
        createdAt: new Date(atMs),
        ...decision,
        accountId: session.accountId,
      })
      .onConflict((conflict) => conflict.column('codeHash').doNothing())
      .executeTakeFirst();
    // Decided before, maybe by another account of the same browser, or on another instance.
    if (stored.numInsertedOrUpdatedRows === 0n)
      throw new ProblemError('code_used', 'This request was decided already.');
  };
  await decideRequest(
    deps,
    { session, sender },
    {
      lock: () => Promise.resolve(pending),
      decide: work,
      store,
      record: (request, decision) => ({
        event: `assistant.${decision.status}`,
        detail: describe(request, decision),
      }),
    },
  );
  return pending;
}

const describe = (request: Pending, { grantedScopes, grantedActingUserIds }: Decision) => ({
  name: keyNameOf(request),
  scopes: grantedScopes ?? [],
  ...(grantedActingUserIds && { actingUserIds: grantedActingUserIds }),
});

/** With what stood in the redirect as it was (RFC 6749, section 4.1.2); `iss` says whose answer it is (RFC 9207). */
function backTo({ redirectUri, state }: Pending, publicUrl: string, answer: Record<string, string>): string {
  const url = new URL(redirectUri);
  const query = { ...answer, ...(state !== null && { state }), iss: readIssuer(publicUrl) };
  const added = new URLSearchParams(query).toString();
  url.search = url.search ? `${url.search}&${added}` : added;
  return url.href;
}
