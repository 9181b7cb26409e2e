import { isDatabaseAway, takesNoWrites } from '@tabletop-relay/database';
import type { FastifyRequest } from 'fastify';
import { ProblemError } from '../../problem.ts';

/**
 * Turns a failure of Postgres to serve now into the problem `unavailable`, and leaves every other error as it is. A caller who
 * hangs up before the body's end fails with the same code as a lost connection to Postgres does.
 */
export function asUnavailable(error: unknown, request: FastifyRequest): unknown {
  const isHungUp = error === request.raw.errored;
  if (isHungUp || error instanceof ProblemError || !isDatabaseAway(error)) return error;
  if (takesNoWrites(error)) {
    const detail = 'Nothing can be changed at the moment: the database takes no writes. Try again later.';
    // Somebody has to mend it, or another server to take over.
    return new ProblemError('unavailable', detail, { cause: error, retryAfterS: 10 });
  }
  return new ProblemError('unavailable', 'Accounts cannot be read at the moment.', {
    cause: error,
    retryAfterS: 2,
  });
}
