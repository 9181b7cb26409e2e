import type { FloodFigures } from './floods/run.ts';
import type { Part, Plan } from './plan.ts';
import type { Tally } from './tally.ts';

/** What an attack has found so far. */
export interface Outcome {
  plan: Plan;
  /** On the monotonic clock. */
  startedAt: number;
  /** One tally for each part that was begun. */
  tallies: Partial<Record<Part, Tally>>;
  floods: FloodFigures[];
  /** What there was no time for, in words. */
  undone: string[];
}

export type Say = (line: string) => void;

export interface Ground {
  databaseUrl: string;
  say: Say;
  /** False once the part has used its share of the time. */
  hasTime(): boolean;
}

export const newOutcome = (plan: Plan): Outcome => ({
  plan,
  startedAt: performance.now(),
  tallies: {},
  floods: [],
  undone: [],
});
