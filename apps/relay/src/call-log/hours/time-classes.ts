/** The upper ends of the classes in which times are counted, in milliseconds. One more class has all that took longer. */
export const timeClasses = [
  1, 1.5, 2, 3, 4, 5, 7, 10, 15, 20, 30, 40, 50, 70, 100, 150, 200, 300, 400, 500, 700, 1_000, 1_500, 2_000,
  3_000, 5_000, 7_000, 10_000, 20_000,
] as const;

/** One zero for each class. */
export const noTimes = (): number[] => Array.from({ length: timeClasses.length + 1 }, () => 0);

/** The class of a time. */
export function classOf(ms: number): number {
  let low = 0;
  let high: number = timeClasses.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ms <= (timeClasses[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The time that `share` of all took at most, interpolated within its class; null where nothing was counted. */
export function percentile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let before = 0;
  for (const [index, count] of counts.entries()) {
    if (count > 0 && before + count >= total * share) {
      const from = index === 0 ? 0 : (timeClasses[index - 1] as number);
      const to = timeClasses[index] ?? from;
      return Math.round((from + (to - from) * ((total * share - before) / count)) * 100) / 100;
    }
    before += count;
  }
  return timeClasses.at(-1) as number;
}
