import type { FloodRig } from './rig.ts';
import type { FloodTask, Sent } from './task.ts';

export interface Flood {
  /** What goes on for everybody else while it lasts. */
  title: string;
  task(rig: FloodRig): Omit<FloodTask, 'url' | 'ms' | 'network'>;
  /** From how many addresses it comes in the tests, where the line is shorter than documented. */
  addressesInTests?: number;
  /** What rightful people do meanwhile. */
  meanwhile?: ((rig: FloodRig) => Promise<void>) | undefined;
  judge?(rig: FloodRig, sent: Sent): Promise<void>;
  /** How much the relay's memory may grow; absent: as it likes. */
  maxGrowthMb?: number;
  /** Known to do harm: run by `pnpm attack` alone. */
  isLost?: true;
}
