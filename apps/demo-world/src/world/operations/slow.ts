import type { OperationName } from '@tabletop-relay/contract';
import type { SlowHandlers } from './handler.ts';
import { pictures } from './scenes/pictures.ts';
import { scripts } from './scripts/scripts.ts';
import { sheets } from './sheets.ts';

/** The handlers of the operations that wait for something outside of the world. */
export const slowHandlers = { ...scripts, ...pictures, ...sheets } satisfies Partial<
  SlowHandlers<OperationName>
>;

export type SlowOperation = keyof typeof slowHandlers;

/** The operations that a world answers in one step. */
export type QuickOperation = Exclude<OperationName, SlowOperation>;

export const isSlow = (operation: OperationName): operation is SlowOperation =>
  Object.hasOwn(slowHandlers, operation);
