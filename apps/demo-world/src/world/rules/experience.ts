import { Refusal } from '../refusal.ts';

/** Points needed for each level from 1 to 20 (SRD 5.1, Beyond 1st Level: Character Advancement). */
export const levelThresholds = [
  0, 300, 900, 2_700, 6_500, 14_000, 23_000, 34_000, 48_000, 64_000, 85_000, 100_000, 120_000, 140_000,
  165_000, 195_000, 225_000, 265_000, 305_000, 355_000,
] as const; // prettier-ignore

/** Points after a gain or loss, never below 0. Reaching a threshold does not raise the level: players choose then. */
export function addExperience(points: number, amount: number): number {
  const sum = Math.max(0, points + amount);
  if (!Number.isSafeInteger(amount) || !Number.isSafeInteger(sum)) {
    throw new Refusal('invalid_parameters', 'Experience is counted in whole points');
  }
  return sum;
}
