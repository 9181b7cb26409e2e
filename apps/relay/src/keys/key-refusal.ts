import type { Tables } from '@tabletop-relay/database';
import type { Kysely } from 'kysely';
import { pausedProblem } from '../pauses/pauses.ts';
import { ProblemError } from '../problem.ts';
import { readScopedKey } from './store/read-key.ts';

/**
 * Why a scoped key that asked before may ask no world any more; undefined where it may. Where that cannot be known it is refused as
 * `unavailable`. Never rejects.
 */
export type RefusalOfKey = (keyId: string) => Promise<ProblemError | undefined>;

export function createRefusalOfKey(db: Kysely<Tables>): RefusalOfKey {
  return async (keyId) => {
    try {
      const principal = await readScopedKey(db, keyId);
      if (!principal) return new ProblemError('key_invalid', 'The key was revoked. Nothing was sent.');
      if (principal.blocked) return new ProblemError(principal.blocked);
      return pausedProblem(principal);
    } catch (cause) {
      return new ProblemError('unavailable', 'The key cannot be checked at the moment.', { cause });
    }
  };
}
