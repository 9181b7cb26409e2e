import { adviceFor } from '@tabletop-relay/contract';

const firstBackOffMs = 1_000;
const longestBackOffMs = 30_000;
const duplicateRetryMs = 30_000;
const handoverRetryMs = 1_000;
/** The relay serves the old socket only a few seconds longer than it said. */
const longestHandoverBackOffMs = 2_000;

/** How a socket ended. */
export interface LinkEnd {
  code: number;
  reason: string;
  /** How long it was authenticated. */
  readyForMs: number;
}

/**
 * How long to wait after a close code that asks to come back. `failures` counts those since a connection last
 * held for a minute; `handingOver` says that our previous socket still serves: a duplicate is then our own.
 * Backing off has full jitter: anywhere between now and a bound that doubles with each failure.
 */
export function retryDelayMs(
  code: number,
  { failures, handingOver, random }: { failures: number; handingOver: boolean; random: () => number },
): number {
  if (adviceFor(code) === 'try-every-30-s') return handingOver ? handoverRetryMs : duplicateRetryMs;
  const longest = handingOver ? longestHandoverBackOffMs : longestBackOffMs;
  return random() * Math.min(longest, firstBackOffMs * 2 ** failures);
}
