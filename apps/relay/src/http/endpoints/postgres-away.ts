import { isDatabaseAway } from '@tabletop-relay/database';
import type { FastifyRequest } from 'fastify';
import { ProblemError } from '../../problem.ts';

/**
 * Turns a failure to reach Postgres into the problem `unavailable`, and leaves every other error as it is. A caller who
 * hangs up before the body's end fails with the same code as a lost connection to Postgres does.
 */
export function asUnavailable(error: unknown, request: FastifyRequest): unknown {
  const isHungUp = error === request.raw.errored;
  if (isHungUp || error instanceof ProblemError || !isDatabaseAway(error)) return error;
  return new ProblemError('unavailable', 'Accounts cannot be read at the moment.', {
    cause: error,
    retryAfterS: 2,
  });
}
