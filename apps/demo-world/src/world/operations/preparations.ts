import type { OperationName } from '@tabletop-relay/contract';
import { loadNotation } from '../rules/rolls/notation.ts';

/** Libraries of some operations. They are loaded at the first call, because most worlds never need them. */
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
