import type { ApiKey } from '@tabletop-relay/contract';

/** Whether programs can call with the key now, and why not. */
export function stateOf(
  { pause, expiresAt, monthlyLimit, usedThisMonth }: ApiKey,
  now: number,
): { tone: 'good' | 'warn' | 'bad'; word: string } {
  if (pause) return { tone: 'warn', word: 'Paused' };
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return { tone: 'bad', word: 'Expired' };
  if (monthlyLimit !== null && usedThisMonth >= monthlyLimit) return { tone: 'bad', word: 'At its limit' };
  return { tone: 'good', word: 'Active' };
}
