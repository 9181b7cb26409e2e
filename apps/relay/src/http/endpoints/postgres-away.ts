import { isDatabaseAway } from '@tabletop-relay/database';
import { ProblemError } from '../../problem.ts';

/** Turns a failure to reach Postgres into the problem `unavailable`, and leaves every other error as it is. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof ProblemError || !isDatabaseAway(error)) return error;
  return new ProblemError('unavailable', 'Accounts cannot be read at the moment.', {
    cause: error,
    retryAfterS: 2,
  });
}
