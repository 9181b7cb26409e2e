import type { ConnectionOutcome } from '@tabletop-relay/contract';

/** An attempt to connect that gets no row of its own. */
export interface CountedAttempt {
  /** Of an IPv6 address its prefix. '': several. */
  address: string;
  /** '': several. */
  clientId: string;
  outcome: ConnectionOutcome;
  closeCode: number | null;
  userAgent: string;
}

export interface AttemptCounts {
  count(attempt: CountedAttempt): void;
  /** Writes what is counted so far. */
  flush(): void;
}

export interface AttemptCountsOptions {
  /** Called for each address, client and outcome when their minute ends. `userAgent` is the first one's. */
  write(counted: CountedAttempt & { attempts: number }): void;
  /** Pairs of address and client counted at once. */
  maxPairs: number;
  everyMs?: number;
}

/**
 * Counts attempts in bounded memory, so that each stays on record however many there are. Beyond the bound, and
 * beyond a twentieth of it for one address, the clients of an address are counted together; beyond a tenth more,
 * all that is left is counted together.
 */
export function createAttemptCounts({
  write,
  maxPairs,
  everyMs = 60_000,
}: AttemptCountsOptions): AttemptCounts {
  const counts = new Map<string, CountedAttempt & { attempts: number }>();
  const pairsOf = new Map<string, number>();
  const maxPairsPerAddress = Math.ceil(maxPairs / 20);
  const maxCounts = maxPairs + Math.ceil(maxPairs / 10);
  let timer: NodeJS.Timeout | undefined;

  // Only the client's id may have spaces in it, so the parts cannot be mistaken for each other.
  const keyOf = ({ outcome, address, clientId }: CountedAttempt) => `${outcome} ${address} ${clientId}`;

  function placeOf(attempt: CountedAttempt): CountedAttempt {
    const pairs = pairsOf.get(attempt.address) ?? 0;
    if (counts.has(keyOf(attempt)) || (counts.size < maxPairs && pairs < maxPairsPerAddress)) return attempt;
    const ofAddress = { ...attempt, clientId: '', userAgent: '' };
    if (counts.has(keyOf(ofAddress)) || counts.size < maxCounts) return ofAddress;
    return { ...ofAddress, address: '' };
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const counted of counts.values()) write(counted);
    counts.clear();
    pairsOf.clear();
  }

  return {
    count(attempt) {
      const place = placeOf(attempt);
      const key = keyOf(place);
      const known = counts.get(key);
      if (known) {
        known.attempts++;
        return;
      }
      counts.set(key, { ...place, attempts: 1 });
      if (place.clientId !== '') pairsOf.set(place.address, (pairsOf.get(place.address) ?? 0) + 1);
      timer ??= setTimeout(flush, everyMs).unref();
    },
    flush,
  };
}
