import type { WorldAction } from '../../src/world/actions.ts';
import type { QuickOperation } from '../../src/world/operations/slow.ts';

/** A call with its parameters, and the user as whom it comes. */
export type Step = [operation: QuickOperation, parameters?: object, as?: string] | [WorldAction];

/** A token of the scene that is shown, by its id. */
export const scene = (token: string) => `Scene.chapel.Token.${token}`;
/** The same steps so many times. */
export const times = (count: number, ...steps: Step[]): Step[] =>
  Array.from({ length: count }, () => steps).flat();
