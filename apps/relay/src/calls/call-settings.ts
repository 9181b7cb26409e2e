import { defaultTimeoutMs, operations } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import { bytes, milliseconds } from '@tabletop-relay/process';
import type { SettingsOf } from '@tabletop-relay/process';
import { Type } from 'typebox';

/** The settings of relayed calls. */
export const callSettings = {
  callTimeoutMs: milliseconds(
    10_000,
    'Time for a world’s answer where the operation names none; those that name one are stretched in proportion. An hour at most.',
    1,
    3_600_000,
  ),
  fifthEditionSystems: Type.Array(Type.String(), {
    default: [],
    description:
      'Ids of further rules systems whose worlds take the operations under /sys5e, such as forks. A world that names any other is not asked: 422 `operation_failed` with the reason `wrong_system`.',
  }),
  requestBytesPerKey: bytes(
    16_777_216,
    'Bytes of large requests that one key may have in flight on an instance; above it calls are answered `overloaded`.',
  ),
  requestBytes: bytes(67_108_864, 'The same for all keys together.'),
};

/** Times of calls that are the same everywhere. */
export const callConstants = {
  /** A caller that reads nothing of a large answer for this time is cut off, and so is one that reads less than 64 KiB a second. */
  callerReadTimeoutMs: 10_000,
  /** Time for the answer to a module’s request to another world, all waiting included. Most operations’ time-outs are shorter. */
  remoteRequestTimeoutMs: 60_000,
};

type CallSettings = SettingsOf<typeof callSettings>;

/** The longest time-out of an operation, 45 s unless CALL_TIMEOUT_MS stretches it: after it nothing is in flight on a socket. */
export function longestCallMs({ callTimeoutMs }: Pick<CallSettings, 'callTimeoutMs'>): number {
  const longest = Math.max(...operations.map(({ timeoutMs }) => timeoutMs));
  return (longest * callTimeoutMs) / defaultTimeoutMs;
}

/**
 * The operations as an instance serves them. CALL_TIMEOUT_MS stretches their time-outs: it is the one of an operation that
 * names none. FIFTH_EDITION_SYSTEMS adds to the systems of those that not all worlds know.
 */
export function adaptOperations(
  operations: readonly Operation[],
  { callTimeoutMs, fifthEditionSystems }: Pick<CallSettings, 'callTimeoutMs' | 'fifthEditionSystems'>,
): Operation[] {
  return operations.map((operation) => ({
    ...operation,
    ...(operation.systems ? { systems: [...operation.systems, ...fifthEditionSystems] } : {}),
    timeoutMs: (operation.timeoutMs * callTimeoutMs) / defaultTimeoutMs,
  }));
}
