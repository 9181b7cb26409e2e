import type { Operation, WorldMetadata } from '@tabletop-relay/contract';
import { ProblemError } from '../../problem.ts';
import type { PendingCall } from '../pending-calls.ts';

const maxDetailLength = 2_000;

/** Settles a call with the frame that names it. The body passes through as it came, unless the operation mends it. */
export function settleReply(
  call: PendingCall,
  frame: Record<string, unknown>,
  body: Buffer,
  world: WorldMetadata,
): void {
  const { requestId, operation } = call;
  if (isRefusal(frame)) return call.reject(refusal(frame, requestId));
  if (frame['type'] !== `${operation.name}-result`) {
    const detail = `The world answered ${String(frame['type']).slice(0, 100)} to ${operation.name}.`;
    return call.reject(new ProblemError('client_bad_reply', detail, { requestId }));
  }
  call.resolve(adapted(operation, frame, body, world));
}

/** Whether a frame carries an error. Today's modules refuse some commands under another type than the result's. */
export function isRefusal({ error }: Record<string, unknown>): boolean {
  return error !== undefined && error !== null && error !== false;
}

/** The world's own error, as callers see it: its text is the detail, its code the reason. */
function refusal(frame: Record<string, unknown>, requestId: string): ProblemError {
  const { error, code } = frame;
  const detail = typeof error === 'string' && error ? error : 'The world refused the operation.';
  const reason = typeof code === 'string' ? { reason: code.slice(0, 100) } : {};
  return new ProblemError('operation_failed', detail.slice(0, maxDetailLength), { requestId, ...reason });
}

/** The body for the caller: as it came, or as the operation mends it. */
function adapted(
  operation: Operation,
  frame: Record<string, unknown>,
  body: Buffer,
  world: WorldMetadata,
): Buffer {
  const result = operation.adaptResult?.(frame, world) ?? frame;
  if (result === frame) return body;
  try {
    return Buffer.from(JSON.stringify(result));
  } catch {
    // The frame is nested deeper than JSON can be written here.
    return body;
  }
}

/**
 * The id in a frame that is not JSON, where one can be read. The call that it answers can then fail at once, and need
 * not wait for its time-out.
 */
export function requestIdIn(body: Buffer): string | undefined {
  return /"requestId"\s*:\s*"([a-z0-9-]{1,64}_\d{1,16})"/.exec(body.toString('utf8', 0, 65_536))?.[1];
}
