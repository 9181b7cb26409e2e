import { addressPrefixes } from '@tabletop-relay/kit';
import type { AddressPrefix } from '@tabletop-relay/kit';
import type { Quotas } from '@tabletop-relay/limits';
import { LRUCache } from 'lru-cache';

/** Limits the unknown secrets that an address may try. */
export interface UnknownSecretLimit {
  /** Unknown secrets per window. */
  readonly max: number;
  /** Seconds until the address may try again; 0 while it may now. */
  waitS(address: string): number;
  /** Counts one unknown secret. Resolves when this instance knows the count of all instances; never rejects. */
  count(address: string): Promise<void>;
}

/**
 * Counts over all instances: per IPv4 address, per /64 of IPv6, and per /48 with four times the limit. Each instance learns
 * the common count when it counts itself, so only secrets that are looked up at the same moment can pass the limit.
 */
export function createUnknownSecretLimit(
  { max, windowMs }: { max: number; windowMs: number },
  quotas: Pick<Quotas, 'hit'>,
  name = 'unknownKeys',
): UnknownSecretLimit {
  const spent = new LRUCache<string, { tries: number; until: number }>({ max: 50_000, ttl: windowMs });

  function waitMs({ block, times }: AddressPrefix): number {
    const entry = spent.get(block);
    if (!entry || entry.tries < max * times) return 0;
    return entry.until - performance.now();
  }

  return {
    max,
    waitS: (address) => Math.max(0, ...addressPrefixes(address).map((one) => Math.ceil(waitMs(one) / 1000))),
    async count(address) {
      await Promise.all(
        addressPrefixes(address).map(async ({ block }) => {
          const { count, resetMs } = await quotas.hit(`${name} ${block}`, windowMs);
          spent.set(block, { tries: count, until: performance.now() + resetMs });
        }),
      );
    },
  };
}
