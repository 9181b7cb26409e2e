import type { OperationName } from '@tabletop-relay/contract';
import type { SlowHandlers } from './handler.ts';
import { scripts } from './scripts/scripts.ts';

/** The handlers of the operations that wait for something outside of the world. */
export const slowHandlers = { ...scripts } satisfies Partial<SlowHandlers<OperationName>>;

export type SlowOperation = keyof typeof slowHandlers;

/** The operations that a world answers in one step. */
export type QuickOperation = Exclude<OperationName, SlowOperation>;

export const isSlow = (operation: OperationName): operation is SlowOperation =>
  Object.hasOwn(slowHandlers, operation);
