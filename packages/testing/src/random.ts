/** Random choices that depend on the seed only, so that a run can be repeated. */
export interface Random {
  readonly seed: number;
  /** At least 0 and below 1. */
  next(): number;
  /** A whole number, at least 0 and below `below`. */
  integer(below: number): number;
  pick<T>(list: readonly T[]): T;
  chance(share: number): boolean;
  /** Returns a copy in random order. All orders are equally likely. */
  shuffle<T>(list: readonly T[]): T[];
}

/** Uses Mulberry32, which is small and gives the same numbers on every machine. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const integer = (below: number) => Math.floor(next() * below);
  return {
    seed,
    next,
    integer,
    pick: <T>(list: readonly T[]): T => {
      if (list.length === 0) throw new Error('there is nothing to pick from');
      return list[integer(list.length)] as T;
    },
    chance: (share) => next() < share,
    shuffle: <T>(list: readonly T[]): T[] => {
      const shuffled = [...list];
      for (let last = shuffled.length - 1; last > 0; last--) {
        const other = integer(last + 1);
        [shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
      }
      return shuffled;
    },
  };
}
