import type { Operation } from '@tabletop-relay/contract';
import type { PendingCalls } from '../../src/sockets/pending-calls.ts';
import type { WorldReply } from '../../src/sockets/replies/settle-reply.ts';

/** A call that its test waits for, and may give up. */
export interface StartedCall {
  reply: Promise<WorldReply>;
  hangUp(): void;
}

export function startCall(
  calls: PendingCalls,
  operation: Operation,
  fieldsJson: string,
  budgetMs: number,
): StartedCall {
  const caller = new AbortController();
  const reply = calls.call(operation, fieldsJson, budgetMs, { signal: caller.signal });
  return { reply, hangUp: () => caller.abort() };
}
