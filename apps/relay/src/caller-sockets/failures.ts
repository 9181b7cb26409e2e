import type { Operation, Problem } from '@tabletop-relay/contract';
import { asProblem, problemDocument } from '../problem.ts';
import type { ProblemError } from '../problem.ts';
import { replayedHeader } from '../calls/idempotency-key.ts';

/** A failure as a frame tells it. */
export interface FailureMessage {
  error: string;
  problem: Problem;
  retryAfterMs?: number;
  replayed?: true;
}

/** Any failure as the problem that its caller is told. */
export const problemOf = (error: unknown): ProblemError =>
  asProblem(error, 'Something went wrong on our side. Please report it with the traceId.');

/** What HTTP says by document and headers. `error`: other words than those of the document. */
export function failureMessage(
  problem: ProblemError,
  context: { publicUrl: string; traceId: string; relayed: Operation | undefined },
  error: string = problem.message,
): FailureMessage {
  const retryAfterS = Number(problem.headers['retry-after'] ?? 0);
  return {
    error,
    problem: problemDocument(problem, context),
    ...(retryAfterS > 0 ? { retryAfterMs: retryAfterS * 1_000 } : {}),
    ...(problem.headers[replayedHeader] ? { replayed: true } : {}),
  };
}
