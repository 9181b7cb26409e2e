import { randomInt } from 'node:crypto';

const digits = (value: number, length: number) => value.toString(32).padStart(length, '0').slice(-length);

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
      time = digits(at, 10);
    }
    counter = (counter + 1) % 2 ** 40;
    return time + boot + digits(counter, 8);
  };
}
