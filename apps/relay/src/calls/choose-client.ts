import { ClusterUnavailable } from '@tabletop-relay/cluster';
import type { Directory } from '@tabletop-relay/cluster';
import { maxCandidates } from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import type { Kysely } from 'kysely';
import type { Principal } from '../keys/authenticate.ts';
import { invalidFields, ProblemError } from '../problem.ts';
import { clientIdsOf, findOwnClient, namesOf } from '../worlds/find-clients.ts';
import type { NamedClient } from '../worlds/find-clients.ts';

/** Where callers name the world: the query string, else the body, else the `x-client-id` header. */
export function readClientId(
  query: unknown,
  body: unknown,
  header: string | string[] | undefined,
): string | undefined {
  const fromQuery = field(query);
  const fromBody = field(body);
  const named = fromQuery ?? fromBody ?? header;
  if (named === undefined) return undefined;
  if (typeof named !== 'string' || named === '') {
    throw invalidFields([{ field: 'clientId', message: 'must be the id of one world, as text' }]);
  }
  if ((fromBody !== undefined && fromBody !== named) || (header !== undefined && header !== named)) {
    throw invalidFields([{ field: 'clientId', message: 'is given twice and differs' }]);
  }
  return named;
}

const field = (source: unknown): unknown =>
  typeof source === 'object' && source !== null ? (source as { clientId?: unknown }).clientId : undefined;

export interface ChooseClientDeps {
  db: Kysely<Tables>;
  directory: Directory;
}

/** Which world a call is for. Rejects with the problem to answer where neither the call nor its key tells. */
export type ChooseClient = (principal: Principal, named: string | undefined) => Promise<string>;

export function createChooseClient({ db, directory }: ChooseClientDeps): ChooseClient {
  async function onlyOneOnline(principal: Principal): Promise<string> {
    const visible = principal.clientIds
      ? [...principal.clientIds]
      : await clientIdsOf(db, principal.accountId);
    const online = await directory.find(visible).catch((cause: unknown) => {
      if (!(cause instanceof ClusterUnavailable)) throw cause;
      throw new ProblemError(
        'unavailable',
        'Which worlds are online cannot be told now. Name one with clientId.',
        { cause },
      );
    });
    // One that is moving is online: the call waits for it, and never goes to another in its place.
    const candidates = visible.filter((id) => online.get(id)?.accountId === principal.accountId);
    const [only] = candidates;
    if (only !== undefined && candidates.length === 1) return only;
    if (only === undefined) {
      const detail =
        'None of the worlds that this key may reach is online. Open one, or name it with clientId.';
      throw new ProblemError('client_required', detail, { candidates: [] });
    }
    throw await severalOnline(db, candidates);
  }

  return async function chooseClient(principal, named) {
    const { clientIds } = principal;
    if (named !== undefined) {
      checkReach(clientIds, named);
      return named;
    }
    if (clientIds?.size === 1) return [...clientIds][0] as string;
    return await onlyOneOnline(principal);
  };
}

/** Refuses a world that a key, or a module's token, may not reach, as if it did not exist. Null: every world. */
export function checkReach(
  reachable: ReadonlySet<string> | null,
  clientId: string,
  credential?: CredentialKind,
): void {
  if (reachable && !reachable.has(clientId)) throw clientNotFound(clientId, credential);
}

/** Names the worlds that a call may have meant, so that a person can choose: programs show the titles and send the id. */
async function severalOnline(db: Kysely<Tables>, online: readonly string[]): Promise<ProblemError> {
  const told = online.slice(0, maxCandidates);
  // With Postgres away the ids alone still help.
  const withoutNames = (): NamedClient[] => told.map((clientId) => ({ clientId, worldTitle: '' }));
  const candidates = await namesOf(db, told).catch(withoutNames);
  const named = candidates
    .slice(0, 20)
    .map(({ clientId, worldTitle, customName }) => `${customName || worldTitle || 'untitled'} (${clientId})`);
  const detail = `${online.length} worlds are online. Name one with clientId: ${named.join(', ')}.`;
  return new ProblemError('client_required', detail, { candidates });
}

/** Tells a client that no instance owns: one that the account does not have, or one that is offline. */
export function createExplainAbsence(db: Kysely<Tables>) {
  return async function explainAbsence(
    accountId: string,
    clientId: string,
    credential?: CredentialKind,
  ): Promise<ProblemError> {
    const row = await findOwnClient(db, accountId, clientId).catch(
      (cause: unknown) => new ProblemError('unavailable', 'The world’s state cannot be read now.', { cause }),
    );
    if (row instanceof ProblemError) return row;
    if (!row) return clientNotFound(clientId, credential);
    return new ProblemError(
      'client_offline',
      `The world ${clientId} is not connected. Open it in the tabletop.`,
      {
        lastSeen: row.lastSeenAt?.getTime() ?? 0,
      },
    );
  };
}

/** By what a world is asked for: the API key of a program, or the connection token of another world's module. */
export type CredentialKind = 'key' | 'token';

/** One problem for a world that is unknown and for one of another account. */
export function clientNotFound(clientId: string, credential: CredentialKind = 'key'): ProblemError {
  return new ProblemError(
    'client_not_found',
    `No world ${clientId.slice(0, 128)} that this ${credential} may reach.`,
  );
}
