import type { OperationName, OperationResult } from '@tabletop-relay/contract';
import type { WireParameters } from '@tabletop-relay/module-sdk';
import type { Outside } from '../outside.ts';
import type { Transaction } from '../transaction.ts';

/** Answers one operation in a step of its own; throws a `Refusal` where the world says no. */
export type OperationHandler<N extends OperationName> = (
  tx: Transaction,
  parameters: WireParameters<N>,
) => OperationResult<N>;

/** The handlers of some operations. */
export type OperationHandlers<N extends OperationName> = { [K in N]: OperationHandler<K> };

/**
 * Answers an operation that waits for something outside of the world. It reads the world in a step that changes nothing,
 * waits, and resolves with the step that answers: by then the world may be another.
 */
export type SlowHandler<N extends OperationName> = (
  tx: Transaction,
  parameters: WireParameters<N>,
  outside: Outside,
) => Promise<(tx: Transaction) => OperationResult<N>>;

/** The handlers of some operations that wait. */
export type SlowHandlers<N extends OperationName> = { [K in N]: SlowHandler<K> };
