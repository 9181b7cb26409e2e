import type { Reply } from '@tabletop-relay/cluster';
import type { ErrorCode } from '@tabletop-relay/contract';
import { ProblemError } from '../problem.ts';
import type { WorldReply } from '../sockets/replies/settle-reply.ts';
import { setWorldTimeOf, worldTimeOf } from './time-worlds.ts';

/** What travels before the world's bytes from the owner to the asker. An instance that is older sends no time. */
type Head = { worldMs?: number | undefined } & (
  { code?: never } | { code: ErrorCode; detail: string; extra: ConstructorParameters<typeof ProblemError>[2] }
);

const noBody = Buffer.alloc(0);

export function writeReply({ worldMs, ...reply }: WorldReply): Reply {
  return { head: JSON.stringify({ worldMs } satisfies Head), ...reply };
}

export function writeProblem(error: unknown): Reply {
  if (!(error instanceof ProblemError)) throw error;
  const { code, message: detail, fields, headers } = error;
  const head: Head = { worldMs: worldTimeOf(error), code, detail, extra: { ...fields, headers } };
  return { head: JSON.stringify(head), body: noBody };
}

/** A problem that the owner met reads as if it had been met here. */
export function readReply({ head: text, body, release }: Reply): WorldReply {
  const head = (text === '' ? {} : JSON.parse(text)) as Head;
  if (head.code === undefined) return { body, release, worldMs: head.worldMs };
  const problem = new ProblemError(head.code, head.detail, head.extra);
  if (head.worldMs !== undefined) setWorldTimeOf(problem, head.worldMs);
  throw problem;
}
