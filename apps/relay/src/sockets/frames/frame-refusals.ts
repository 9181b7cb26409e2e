import { frameErrors } from '@tabletop-relay/contract';
import type { FrameErrorCode } from '@tabletop-relay/contract';
import type { RelayMetrics } from '../../metrics.ts';
import { ProblemError } from '../../problem.ts';
import type { ClientSocket } from '../client-socket.ts';
import { textIn } from './frame-fields.ts';
import { headBytes } from './frame-head.ts';
import type { LogFrame } from './frame-log.ts';

interface RefusedFrame {
  type?: string | undefined;
  requestId?: string | undefined;
}

/** Tells a module which of its frames could not be used. */
export interface FrameRefusals {
  /** The answer has the frame's `requestId`, if there is one, so that the module need not wait for a time-out. */
  refuse(socket: ClientSocket, code: FrameErrorCode, refused?: RefusedFrame): void;
  /**
   * Fails the call that the frame names. Where it names none, it counts as more than its bytes, and the tenth such frame in a minute
   * closes the socket.
   */
  refuseBadFrame(socket: ClientSocket, body: Buffer, frame?: Record<string, unknown>): void;
}

/** A frame that no call waited for counts as a multiple of its bytes, by the processor time that it takes. */
export const costOfParsing = 8;
const maxBadFramesPerMinute = 10;

export function createFrameRefusals(deps: { logFrame: LogFrame; metrics: RelayMetrics }): FrameRefusals {
  const { logFrame, metrics } = deps;
  const badFrames = new WeakMap<ClientSocket, { count: number; since: number }>();

  function refuse(socket: ClientSocket, code: FrameErrorCode, refused: RefusedFrame = {}): void {
    const { type, requestId } = refused;
    logFrame(socket, { code, type: type?.slice(0, 100) }, 'frame refused');
    metrics.framesRefused.labels(code).inc();
    socket.send({ type: 'error', ...(requestId ? { requestId } : {}), code, message: frameErrors[code] });
  }

  return {
    refuse,
    refuseBadFrame(socket, body, frame = {}) {
      const requestId = requestIdIn(body);
      refuse(socket, 'bad_frame', { requestId: textIn(frame, 'requestId') || requestId });
      const call = requestId === undefined ? undefined : socket.calls.take(requestId);
      // One operation whose answers are broken must not end the calls of all others.
      if (call) {
        const named = { requestId: call.requestId };
        return call.reject(
          new ProblemError(
            'client_bad_reply',
            'The world’s answer was not JSON, or it was large and its type and requestId did not stand first.',
            named,
          ),
        );
      }
      socket.inflow.countUnasked(body.length * costOfParsing);
      const bad = badFrames.get(socket);
      if (!bad || performance.now() - bad.since > 60_000)
        badFrames.set(socket, { count: 1, since: performance.now() });
      else if (++bad.count >= maxBadFramesPerMinute)
        socket.close('temporary', 'Too many frames that are not JSON');
    },
  };
}

/**
 * The `requestId` at the begin or the end of a frame that cannot be read, if one can be found. Its call can then fail at once instead
 * of timing out.
 */
function requestIdIn(body: Buffer): string | undefined {
  const named = /"requestId"\s*:\s*"([a-z0-9-]{1,64}_\d{1,16})"/;
  const ends = [body.subarray(0, headBytes), body.subarray(-1_024)];
  for (const end of ends) {
    const found = named.exec(end.toString('latin1'));
    if (found) return found[1];
  }
  return undefined;
}
