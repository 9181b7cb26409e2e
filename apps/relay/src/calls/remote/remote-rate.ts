import type { Quotas } from '@tabletop-relay/limits';
import type { Limit } from '../../limits/limits.ts';
import { ProblemError } from '../../problem.ts';

/** Spends one request of the token's minute, over all instances. Rejects with `rate_limited`. */
export type SpendRequest = (tokenId: string) => Promise<void>;

export function createSpendRequest(
  quotas: Pick<Quotas, 'perWindow'>,
  { max, windowMs }: Limit,
): SpendRequest {
  const requests = quotas.perWindow('remote', windowMs);

  return async (tokenId) => {
    const { allowed, resetMs } = await requests.spend(tokenId, max);
    if (allowed) return;
    const retryAfterS = Math.ceil(resetMs / 1_000);
    throw new ProblemError(
      'rate_limited',
      `This browser may send ${max} requests to other worlds in ${windowMs / 1_000} s; the next one in ${retryAfterS} s.`,
      { retryAfterS },
    );
  };
}
