import { maxCandidates } from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import type { Kysely } from 'kysely';
import { ProblemError } from '../problem.ts';
import { findOwnClient, namesOf } from '../worlds/find-clients.ts';
import type { NamedClient } from '../worlds/find-clients.ts';

/** Names the worlds that a call may have meant, so that a person can choose: programs show the titles and send the id. */
export async function severalOnline(db: Kysely<Tables>, online: readonly string[]): Promise<ProblemError> {
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
    asker?: Asker,
  ): Promise<ProblemError> {
    const row = await findOwnClient(db, accountId, clientId).catch(
      (cause: unknown) => new ProblemError('unavailable', 'The world’s state cannot be read now.', { cause }),
    );
    if (row instanceof ProblemError) return row;
    if (!row) return clientNotFound(clientId, asker);
    return new ProblemError(
      'client_offline',
      `The world ${clientId} is not connected. Open it in the tabletop.`,
      {
        lastSeen: row.lastSeenAt?.getTime() ?? 0,
      },
    );
  };
}

/** Who asks for a world: a program with a key, or the module of another world with its connection token. */
export type Asker = 'key' | 'token';

/** The same for a world that is unknown and for one of another account. */
export function clientNotFound(clientId: string, asker: Asker = 'key'): ProblemError {
  return new ProblemError(
    'client_not_found',
    `No world ${clientId.slice(0, 128)} that this ${asker} may reach.`,
  );
}
