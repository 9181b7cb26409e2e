import type { Allowances } from '@tabletop-relay/cluster';
import { LRUCache } from 'lru-cache';
import { addressBlock } from './ip-allowlist.ts';

export interface AddressBudget {
  /** Tries per window. */
  readonly max: number;
  /** Seconds until the address may try again; 0 while it may now. */
  waitS(address: string): number;
  /** Resolves when this instance knows the count; never rejects. */
  spend(address: string): Promise<void>;
}

/**
 * So many tries per address (v6: per /64) and window. Counted over all instances: each try tells this one how many
 * there were anywhere, so that only those under way at once slip through.
 */
export function createAddressBudget(
  { max, windowMs }: { max: number; windowMs: number },
  allowances: Pick<Allowances, 'hit'>,
): AddressBudget {
  const spent = new LRUCache<string, { tries: number; until: number }>({ max: 50_000, ttl: windowMs });
  return {
    max,
    waitS(address) {
      const entry = spent.get(addressBlock(address));
      if (!entry || entry.tries < max) return 0;
      return Math.max(0, Math.ceil((entry.until - performance.now()) / 1000));
    },
    async spend(address) {
      const block = addressBlock(address);
      const { count, resetMs } = await allowances.hit(`unknownKeys ${block}`, windowMs);
      spent.set(block, { tries: count, until: performance.now() + resetMs });
    },
  };
}
