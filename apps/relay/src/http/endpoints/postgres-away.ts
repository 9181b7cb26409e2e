import { ProblemError } from '../../problem.ts';

const systemCodes = new Set([
  'ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN',
]); // prettier-ignore
/** SQLSTATEs of a server that is starting, stopping, full or too slow. Class 08 counts as well. */
const serverCodes = new Set(['57P01', '57P02', '57P03', '53300', '57014']);
const messages = [
  /^Connection terminated/,
  /^timeout exceeded when trying to connect/,
  /^Query read timeout/,
  /connection error and is not queryable/,
];

/** Turns a failure to reach Postgres into the problem `unavailable`, and leaves every other error as it is. */
export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ProblemError) return error;
  const { code } = error as { code?: unknown };
  const isAway =
    (typeof code === 'string' && (systemCodes.has(code) || serverCodes.has(code) || code.startsWith('08'))) ||
    messages.some((message) => message.test(error.message));
  if (!isAway) return error;
  return new ProblemError('unavailable', 'Accounts cannot be read at the moment.', {
    cause: error,
    retryAfterS: 2,
  });
}
