import type { InputOf, PairRequest, pairRequestEndpoints } from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import type { Kysely, Transaction } from 'kysely';
import { decideRequest } from '../../../accounts/decide-request.ts';
import type { Announce } from '../../../credentials/changes/credential-feed.ts';
import { statusOf } from '../../../credentials/request-status.ts';
import type { Sender, SessionPrincipal } from '../../../endpoint-handler.ts';
import { ProblemError, invalidFields } from '../../../problem.ts';
import { changeToken, readAllowlist } from '../../connection-tokens.ts';
import { checkOwnClients } from '../../find-clients.ts';
import { worldOf } from '../../world-columns.ts';
import { findClaim } from '../claim.ts';
import type { Claim } from '../claim.ts';
import { findPairRequest, lockRequest, notFound, pairRequestLifetimeMs } from './pair-requests.ts';
import type { PairRequestDeps, PairRequestRow } from './pair-requests.ts';

type Approval = InputOf<(typeof pairRequestEndpoints)['approvePairRequest']>['body'];

interface Decider {
  session: SessionPrincipal;
  code: string;
  sender: Sender;
}

/** A request as the person who decides sees it. After the decision only the account that decided may read it. */
export async function showPairRequest(
  deps: Pick<PairRequestDeps, 'db' | 'now'>,
  accountId: string,
  code: string,
): Promise<PairRequest> {
  const request = await findPairRequest(deps, code);
  if (request.accountId !== null && request.accountId !== accountId) throw notFound();
  const { origin, clientId, requestedFrom } = request;
  const status = statusOf(request, deps.now());
  const claim = status === 'pending' ? await findJoined(deps.db, accountId, request) : undefined;
  return {
    ...worldOf(request),
    origin,
    clientId,
    joins: claim ? describeClaim(claim) : null,
    requestedFrom,
    status,
    createdAt: request.createdAt.toISOString(),
    expiresAt: request.expiresAt.toISOString(),
  };
}

/** The world that this request would join if it were approved; undefined for a new one, and where a paired one asks for more. */
async function findJoined(
  db: Kysely<Tables>,
  accountId: string,
  request: PairRequestRow,
): Promise<Claim | undefined> {
  return request.clientId === null ? await findClaim(db, accountId, request) : undefined;
}

const describeClaim = ({ by: _by, ...world }: Claim) => world;

/** Lets the world be paired, or gives one paired browser of it the permissions at once. */
export async function approvePairRequest(
  deps: PairRequestDeps,
  input: Decider & { approval: Approval },
): Promise<void> {
  const { session, approval, sender } = input;
  const { accountId } = session;
  const { tokenId, joinsClientId = null, ...terms } = approval;
  await decide(deps, input, async (trx, request, announce) => {
    const expiresAt = new Date(deps.now() + pairRequestLifetimeMs);
    const decision = { status: 'approved' as const, expiresAt, detail: approval };
    if (request.clientId === null) {
      if (tokenId !== undefined) throw tokenFault('belongs to a request of a world that asks for more');
      checkSeen(await findJoined(trx, accountId, request), joinsClientId);
      await checkOwnClients(trx, accountId, terms.allowedTargetClients ?? []);
      return {
        ...decision,
        joinsClientId,
        allowedTargetClients: terms.allowedTargetClients ?? [],
        remoteScopes: terms.remoteScopes ?? [],
        ipAllowlist: readAllowlist(terms.ipAllowlist ?? ''),
      };
    }
    checkSeen(undefined, joinsClientId);
    if (tokenId === undefined) throw tokenFault('is missing: the paired browser that gets the permissions');
    // The request only says which world asks, and anybody may know its id. The person says which browser it is.
    await changeToken(
      { ...deps, trx, announce },
      { accountId, id: tokenId, clientId: request.clientId, body: terms, sender },
    );
    return decision;
  });
}

const tokenFault = (message: string) => invalidFields([{ field: 'tokenId', message }]);

/** Throws `conflict` where the approval would do anything else than the person saw. */
function checkSeen(claim: Claim | undefined, seen: string | null): void {
  if ((claim?.clientId ?? null) === seen) return;
  throw new ProblemError(
    'conflict',
    claim
      ? `This tabletop joins your world “${claim.customName || claim.worldTitle}” now, and that is not what was approved. Look at the request again; an approval names that world in joinsClientId.`
      : 'This request does not join the world in joinsClientId. Look at it again.',
  );
}

export async function denyPairRequest(deps: PairRequestDeps, input: Decider): Promise<void> {
  await decide(deps, input, () => Promise.resolve({ status: 'denied', detail: {} }));
}

type Decision = Partial<
  Pick<
    PairRequestRow,
    'joinsClientId' | 'allowedTargetClients' | 'remoteScopes' | 'ipAllowlist' | 'expiresAt'
  >
> &
  ({ status: 'approved'; detail: Approval } | { status: 'denied'; detail: Record<string, never> });
type Decide = (trx: Transaction<Tables>, request: PairRequestRow, announce: Announce) => Promise<Decision>;

async function decide(
  deps: PairRequestDeps,
  { session, code, sender }: Decider,
  work: Decide,
): Promise<void> {
  const found = await findPairRequest(deps, code);
  const { accountId } = session;
  const store = (trx: Transaction<Tables>, { detail: _detail, ...decision }: Decision) =>
    trx
      .updateTable('pairRequests')
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
      record: (request, { status, detail }) => ({
        event: `pair_request.${status}`,
        clientId: request.clientId,
        detail: { worldTitle: request.worldTitle || request.worldId, ...detail },
      }),
    },
  );
}
