import { maxCandidates } from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import type { Kysely } from 'kysely';
import { ProblemError } from '../problem.ts';
import { namesOf } from '../worlds/find-clients.ts';
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
