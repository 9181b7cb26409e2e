interface Calls {
  ok: readonly number[];
  refused: readonly number[];
  failed: readonly number[];
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Calls of all in each of so many hours or minutes, by what became of them. */
export function callsOf(
  all: readonly Calls[],
  count: number,
): { ok: number[]; refused: number[]; failed: number[] } {
  const sumsOf = (field: keyof Calls) =>
    Array.from({ length: count }, (_, index) => sum(all.map((calls) => calls[field][index] ?? 0)));
  return { ok: sumsOf('ok'), refused: sumsOf('refused'), failed: sumsOf('failed') };
}
