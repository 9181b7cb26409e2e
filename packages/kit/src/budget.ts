/** Who an amount counts against, and the most that it may have at a time. */
export interface Owner {
  /** Told apart as the keys of a Map are. */
  readonly of: unknown;
  readonly most: number;
}

/** Gives an amount back. Only the first call does something. */
export type GiveBack = () => void;

/**
 * Bounds what is taken at a time, in total and by each owner: bytes in memory, connections, calls in flight. What is the only thing
 * of its owner, or of the instance, always fits: a bound that is smaller than one thing lets one through at a time and not none. So
 * each bound can be passed by one thing. Memory is kept for owners that have taken something.
 */
export class Budget {
  readonly #most: number;
  readonly #taken = new Map<unknown, number>();
  readonly #listeners: (() => void)[] = [];
  #total = 0;

  /** `most`: of all owners together. */
  constructor(most = Infinity) {
    this.#most = most;
  }

  /** What all owners have taken. */
  get total(): number {
    return this.#total;
  }

  /** Takes an amount for each of the owners, and once of the total. Undefined where it would be too much for one of them: then nothing is taken. */
  take(owners: readonly Owner[], amount = 1): GiveBack | undefined {
    return this.lacking(owners, amount) === undefined ? this.add(owners, amount) : undefined;
  }

  /** Takes an amount that exists already and cannot be refused, whether or not it fits. */
  add(owners: readonly Owner[], amount: number): GiveBack {
    this.#change(owners, amount);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#change(owners, -amount);
      for (const listener of this.#listeners) listener();
    };
  }

  /** The first for whom so much more is too much: one of the owners, or `all` together. Undefined where it fits. */
  lacking(owners: readonly Owner[], amount = 1): Owner | 'all' | undefined {
    const owner = owners.find(({ of, most }) => exceeds(this.#taken.get(of) ?? 0, amount, most));
    return owner ?? (exceeds(this.#total, amount, this.#most) ? 'all' : undefined);
  }

  /** Calls the listener each time that an amount was given back. */
  onFreed(listener: () => void): void {
    this.#listeners.push(listener);
  }

  #change(owners: readonly Owner[], amount: number): void {
    this.#total += amount;
    for (const { of } of owners) {
      const taken = (this.#taken.get(of) ?? 0) + amount;
      if (taken === 0) this.#taken.delete(of);
      else this.#taken.set(of, taken);
    }
  }
}

const exceeds = (taken: number, amount: number, most: number) => taken > 0 && taken + amount > most;
