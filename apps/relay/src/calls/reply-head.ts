import type { Reply } from '@tabletop-relay/cluster';
import type { ErrorCode } from '@tabletop-relay/contract';
import { ProblemError } from '../problem.ts';
import type { WorldReply } from '../sockets/replies/settle-reply.ts';

/** A problem on its way from the owner to the asker. Before the bytes of a world stands its time in milliseconds alone. */
interface ProblemHead {
  worldMs?: number | undefined;
  code: ErrorCode;
  detail: string;
  extra: ConstructorParameters<typeof ProblemError>[2];
}

const noBody = Buffer.alloc(0);

export function writeReply({ worldMs, body, release }: WorldReply): Reply {
  return { head: String(worldMs ?? ''), body, release };
}

export function writeProblem(error: unknown): Reply {
  if (!(error instanceof ProblemError)) throw error;
  const { code, message: detail, fields, headers, worldMs } = error;
  const head: ProblemHead = { worldMs, code, detail, extra: { ...fields, headers } };
  return { head: JSON.stringify(head), body: noBody };
}

/** A problem that the owner met reads as if it had been met here. */
export function readReply({ head: text, body, release }: Reply): WorldReply {
  const head = (text === '' ? undefined : JSON.parse(text)) as number | Partial<ProblemHead> | undefined;
  if (typeof head !== 'object') return { body, release, worldMs: head };
  const { code, detail, extra, worldMs } = head;
  // An instance of an older version.
  if (code === undefined) return { body, release, worldMs };
  const problem = new ProblemError(code, detail, extra);
  problem.worldMs = worldMs;
  throw problem;
}
