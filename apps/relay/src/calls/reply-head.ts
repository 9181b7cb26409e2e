import type { Reply } from '@tabletop-relay/cluster';
import type { ErrorCode } from '@tabletop-relay/contract';
import { ProblemError } from '../problem.ts';
import type { WorldReply } from '../sockets/replies/settle-reply.ts';

/** What the owner tells beside the bytes of a world: how long it took in milliseconds, or the problem in place of the bytes. */
interface ReplyHead {
  worldMs?: number | undefined;
  problem?: Problem;
}

interface Problem {
  code: ErrorCode;
  detail: string;
  extra: ConstructorParameters<typeof ProblemError>[2];
}

const noBody = Buffer.alloc(0);

export function writeReply({ worldMs, body, release }: WorldReply): Reply {
  return { head: { worldMs } satisfies ReplyHead, body, release };
}

export function writeProblem(error: unknown): Reply {
  if (!(error instanceof ProblemError)) throw error;
  const { code, message: detail, fields, headers, worldMs } = error;
  const problem: Problem = { code, detail, extra: { ...fields, headers } };
  return { head: { worldMs, problem } satisfies ReplyHead, body: noBody };
}

/** A problem that the owner met reads as if it had been met here. */
export function readReply({ head, body, release }: Reply): WorldReply {
  const { worldMs, problem } = head as ReplyHead;
  if (!problem) return { body, release, worldMs };
  const error = new ProblemError(problem.code, problem.detail, problem.extra);
  error.worldMs = worldMs;
  throw error;
}
