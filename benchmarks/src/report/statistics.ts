/** What several rounds of one measurement gave. */
export interface Spread {
  min: number;
  median: number;
  max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  return {
    min: at(0),
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    max: at(sorted.length - 1),
  };
}

/** What each round gave in relation to the same round of `others`. */
export function ratioOf(values: readonly number[], others: readonly number[]): Spread {
  return spreadOf(values.map((value, round) => value / (others[round] ?? Number.NaN)));
}

/** `12.3 (11.9-14.0)`: the median, and the least and the most. */
export function showSpread({ min, median, max }: Spread, digits = 1): string {
  const [low, middle, high] = [min, median, max].map((value) => value.toFixed(digits));
  return low === high ? String(middle) : `${middle} (${low}-${high})`;
}
