import type { OperationName } from '@tabletop-relay/contract';
import { loadNotation } from '../rules/rolls/notation.ts';

/** What some operations need besides the world, loaded with their first call: most worlds never ask for it. */
const preparations: Partial<Record<OperationName, () => Promise<void>>> = {
  roll: loadNotation,
};

/** Loads what an operation needs before a world can answer it. */
export async function prepareOperation(operation: OperationName): Promise<void> {
  await preparations[operation]?.();
}

/** Loads what any operation needs. */
export async function prepareAll(): Promise<void> {
  await Promise.all(Object.values(preparations).map((prepare) => prepare()));
}
