import type { Allowances, Hit } from '@tabletop-relay/limits';
import { addressPrefixes } from '../auth/ip-allowlist.ts';

/**
 * Counts once under each prefix of an address, over all instances; `name` keeps limits apart. Answers for the prefix
 * that is nearest to its limit, in the measure of one address: the limit is passed when the count is above it.
 */
export async function hitAddress(
  allowances: Pick<Allowances, 'hit'>,
  { name, address, windowMs }: { name: string; address: string; windowMs: number },
): Promise<Hit> {
  const hits = await Promise.all(
    addressPrefixes(address).map(async ({ block, times }) => {
      const { count, resetMs } = await allowances.hit(`${name} ${block}`, windowMs);
      return { count: Math.ceil(count / times), resetMs };
    }),
  );
  return hits.reduce((worst, hit) => (hit.count > worst.count ? hit : worst));
}
