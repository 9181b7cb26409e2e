import { ClusterUnavailable } from '@tabletop-relay/cluster';
import type { Directory } from '@tabletop-relay/cluster';
import type { Tables } from '@tabletop-relay/database';
import type { Kysely } from 'kysely';
import type { Principal } from '../keys/authenticate.ts';
import { invalidFields, ProblemError } from '../problem.ts';
import { clientIdsOf, findOwnClient } from '../worlds/find-clients.ts';

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

/** Which world a call is for. Synchronous where the call or the key names it. */
export type ChooseClient = (principal: Principal, asked: string | undefined) => string | Promise<string>;

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
    const candidates = visible.filter(
      (id) => online.get(id)?.accountId === principal.accountId && !online.get(id)?.moving,
    );
    const [only] = candidates;
    if (only !== undefined && candidates.length === 1) return only;
    throw new ProblemError(
      'client_required',
      only === undefined
        ? 'None of the worlds that this key may reach is online. Open one, or name it with clientId.'
        : `${candidates.length} worlds are online. Name one with clientId: ${candidates.slice(0, 20).join(', ')}.`,
      { candidates },
    );
  }

  return function chooseClient(principal, asked) {
    const { clientIds } = principal;
    if (asked !== undefined) {
      if (clientIds && !clientIds.has(asked)) throw clientNotFound(asked);
      return asked;
    }
    if (clientIds?.size === 1) return [...clientIds][0] as string;
    return onlyOneOnline(principal);
  };
}

/** The problem of a client that nobody owns: unknown and foreign ones read the same. */
export function createExplainAbsence(db: Kysely<Tables>) {
  return async function explainAbsence(accountId: string, clientId: string): Promise<ProblemError> {
    const row = await findOwnClient(db, accountId, clientId).catch(
      (cause: unknown) => new ProblemError('unavailable', 'The world’s state cannot be read now.', { cause }),
    );
    if (row instanceof ProblemError) return row;
    if (!row) return clientNotFound(clientId);
    return new ProblemError(
      'client_offline',
      `The world ${clientId} is not connected. Open it in the tabletop.`,
      {
        lastSeen: row.lastSeenAt?.getTime() ?? 0,
      },
    );
  };
}

function clientNotFound(clientId: string): ProblemError {
  return new ProblemError('client_not_found', `No world ${clientId.slice(0, 128)} that this key may reach.`);
}
