import { addressPrefixes } from '@tabletop-relay/kit';
import type { Quotas, Hit } from '@tabletop-relay/limits';

/**
 * Counts one event under each prefix of an address, over all instances. `name` is that of the limit. Returns the count of
 * the prefix that is nearest to its limit, divided by the factor of the prefix, so that it compares with the limit of one
 * address.
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
