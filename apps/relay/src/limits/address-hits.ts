import type { Quotas, Hit } from '@tabletop-relay/limits';
import { addressPrefixes } from './ip-allowlist.ts';

/**
 * Counts one event under each prefix of an address, over all instances. `name` tells limits apart. Answers the count of
 * the prefix that is nearest to its limit, scaled to the limit of one address: above it, the limit is exceeded.
 */
export async function hitAddress(
  quotas: Pick<Quotas, 'hit'>,
  { name, address, windowMs }: { name: string; address: string; windowMs: number },
): Promise<Hit> {
  const hits = await Promise.all(
    addressPrefixes(address).map(async ({ block, times }) => {
      const { count, resetMs } = await quotas.hit(`${name} ${block}`, windowMs);
      return { count: Math.ceil(count / times), resetMs };
    }),
  );
  return hits.reduce((worst, hit) => (hit.count > worst.count ? hit : worst));
}
