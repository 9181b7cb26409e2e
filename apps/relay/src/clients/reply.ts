import { ProblemError } from '../http/problem.ts';
import type { WorldDescription } from './client-socket.ts';
import type { PendingCall } from './pending-calls.ts';

const maxDetailLength = 2_000;

/** Settles a call with the frame that names it. The body passes through as it came. */
export function settleReply(
  call: PendingCall,
  frame: Record<string, unknown>,
  body: Buffer,
  world: WorldDescription,
): void {
  const { requestId, operation } = call;
  if (frame['type'] !== `${operation.name}-result`) {
    const detail = `The world answered ${String(frame['type']).slice(0, 100)} to ${operation.name}.`;
    return call.reject(new ProblemError('client_bad_reply', detail, { requestId }));
  }
  if (frame['error'] !== undefined && frame['error'] !== null && frame['error'] !== false) {
    return call.reject(refusal(frame, requestId));
  }
  call.resolve(operation.name === 'world-info' ? withTabletopVersion(frame, body, world) : body);
}

/** The world's own error, as callers see it: its text is the detail, its code the reason. */
function refusal(frame: Record<string, unknown>, requestId: string): ProblemError {
  const { error, code } = frame;
  const detail = typeof error === 'string' && error ? error : 'The world refused the operation.';
  const reason = typeof code === 'string' ? { reason: code.slice(0, 100) } : {};
  return new ProblemError('operation_failed', detail.slice(0, maxDetailLength), { requestId, ...reason });
}

/** Today's modules answer `foundryVersion`; callers were promised `tabletopVersion`. */
function withTabletopVersion(frame: Record<string, unknown>, body: Buffer, world: WorldDescription): Buffer {
  const { data } = frame;
  if (typeof data !== 'object' || data === null || Array.isArray(data) || 'tabletopVersion' in data)
    return body;
  const { tabletopVersion } = world;
  try {
    return Buffer.from(JSON.stringify({ ...frame, data: { ...data, tabletopVersion } }));
  } catch {
    // Nested deeper than can be written: as it came.
    return body;
  }
}

/**
 * The id in a frame that is no JSON, where one can be read: the call that it answers is failed at once and
 * not after its time-out.
 */
export function requestIdIn(body: Buffer): string | undefined {
  return /"requestId"\s*:\s*"([a-z0-9-]{1,64}_\d{1,16})"/.exec(body.toString('utf8', 0, 65_536))?.[1];
}
