import type { Quotas } from '@tabletop-relay/limits';
import { LRUCache } from 'lru-cache';
import { addressPrefixes } from './ip-allowlist.ts';
import type { AddressPrefix } from './ip-allowlist.ts';

export interface AddressBudget {
  /** Tries per window. */
  readonly max: number;
  /** Seconds until the address may try again; 0 while it may now. */
  waitS(address: string): number;
  /** Resolves when this instance knows the count; never rejects. */
  spend(address: string): Promise<void>;
}

/**
 * So many tries per address and window: v6 per /64, and four times as many per /48. Counted over all instances: each
 * try tells this one how many there were anywhere, so that only those under way at once slip through.
 */
export function createAddressBudget(
  { max, windowMs }: { max: number; windowMs: number },
  quotas: Pick<Quotas, 'hit'>,
): AddressBudget {
  const spent = new LRUCache<string, { tries: number; until: number }>({ max: 50_000, ttl: windowMs });

  function waitMs({ block, times }: AddressPrefix): number {
    const entry = spent.get(block);
    if (!entry || entry.tries < max * times) return 0;
    return entry.until - performance.now();
  }

  return {
    max,
    waitS: (address) => Math.max(0, ...addressPrefixes(address).map((one) => Math.ceil(waitMs(one) / 1000))),
    async spend(address) {
      await Promise.all(
        addressPrefixes(address).map(async ({ block }) => {
          const { count, resetMs } = await quotas.hit(`unknownKeys ${block}`, windowMs);
          spent.set(block, { tries: count, until: performance.now() + resetMs });
        }),
      );
    },
  };
}
