import type { OperationName, OperationResult } from '@tabletop-relay/contract';
import type { WireParameters } from '@tabletop-relay/module-sdk';
import type { Transaction } from '../transaction.ts';

/** Answers one operation in a step of its own; throws a `Refusal` where the world says no. */
export type OperationHandler<N extends OperationName> = (
  tx: Transaction,
  parameters: WireParameters<N>,
) => OperationResult<N>;

/** The handlers of some operations. */
export type OperationHandlers<N extends OperationName> = { [K in N]: OperationHandler<K> };
