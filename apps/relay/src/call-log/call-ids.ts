import { randomInt } from 'node:crypto';

const digits = (value: number, length: number) => value.toString(32).padStart(length, '0').slice(-length);

/** Sorts before all ids of calls that began at the epoch milliseconds `at` or later, and behind all others. */
export const firstCallIdAt = (at: number): string => digits(at, 10);

/**
 * Ids of calls: they sort by the time at which the call began, and are unique over all instances. A call id opens nothing to
 * another account, so it need not be hard to guess; `newId` would cost more than the rest of the row.
 */
export function createCallIds(): (at: number) => string {
  const boot = digits(randomInt(2 ** 40), 8);
  let counter = 0;
  let lastMs = 0;
  let time = '';
  return (at) => {
    if (at !== lastMs) {
      lastMs = at;
      time = firstCallIdAt(at);
    }
    counter = (counter + 1) % 2 ** 40;
    return time + boot + digits(counter, 8);
  };
}
