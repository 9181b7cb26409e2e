import type { ConnectionOutcome } from '@tabletop-relay/contract';

/** An attempt to connect that gets no row of its own. */
export interface CountedAttempt {
  /** The address, or the prefix of an IPv6 address; '' for several. */
  address: string;
  /** The client's id; '' for several clients. */
  clientId: string;
  outcome: ConnectionOutcome;
  closeCode: number | null;
  userAgent: string;
}

export interface AttemptCounts {
  count(attempt: CountedAttempt): void;
  /** Writes all counts at once. */
  flush(): void;
}

export interface AttemptCountsOptions {
  /** Called once a minute for each address, client and outcome. `userAgent` is that of the first attempt. */
  write(counted: CountedAttempt & { attempts: number }): void;
  /** The largest number of pairs of address and client that are counted separately. */
  maxPairs: number;
  everyMs?: number;
}

/**
 * Counts attempts to connect in bounded memory, so that every attempt is recorded, even in a flood. The clients of an
 * address are counted together when all pairs reach the bound, or when those of one address reach a twentieth of it.
 * When there are a tenth more, all further addresses are counted together.
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

  // Only the client's id may contain spaces, and it comes last, so two different attempts never share a key.
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
      pairsOf.set(place.address, (pairsOf.get(place.address) ?? 0) + 1);
      timer ??= setTimeout(flush, everyMs).unref();
    },
    flush,
  };
}
