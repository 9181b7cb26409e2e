import type { ApiKey } from '@tabletop-relay/contract';

/** Whether programs can call with the key now, and why not. */
export function stateOf(
  { expiresAt, monthlyLimit, usedThisMonth }: ApiKey,
  now: number,
): { tone: 'good' | 'bad'; word: string } {
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return { tone: 'bad', word: 'Expired' };
  if (monthlyLimit !== null && usedThisMonth >= monthlyLimit) return { tone: 'bad', word: 'At its limit' };
  return { tone: 'good', word: 'Active' };
}
