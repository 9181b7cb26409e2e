import { defaultTimeoutMs } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import { bytes, milliseconds } from '@tabletop-relay/process';

/** The settings of relayed calls. */
export const callSettings = {
  callTimeoutMs: milliseconds(
    10_000,
    'Time for a world’s answer; rests and the use of abilities, spells and items get twice as long.',
    1,
  ),
  requestBytesPerKey: bytes(
    16_777_216,
    'Bytes of large requests that one key may have in flight on an instance; above it calls are answered `overloaded`.',
  ),
  requestBytes: bytes(67_108_864, 'The same for all keys together.'),
  callerReadTimeoutMs: milliseconds(
    10_000,
    'A caller that reads nothing of a large answer for this time is cut off, and so is one that reads less than 64 KiB a second.',
    1_000,
  ),
};

/** The time-outs of operations as CALL_TIMEOUT_MS stretches them: it is the time-out of an operation that names none. */
export function scaleTimeouts(operations: readonly Operation[], callTimeoutMs: number): Operation[] {
  return operations.map((operation) => ({
    ...operation,
    timeoutMs: (operation.timeoutMs * callTimeoutMs) / defaultTimeoutMs,
  }));
}
