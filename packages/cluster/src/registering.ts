import type { Instance } from './cluster.ts';

const registeringMs = 10_000;

/**
 * Whether a claim that was just made has no open socket yet, because its instance is still checking it. It counts
 * as alive: fenced off now, its socket would be opened after it had lost its client.
 */
export function isRegistering(instance: Instance, conn: string, claimedAt: number): boolean {
  if (performance.now() - claimedAt > registeringMs) return false;
  for (const open of instance.claims()) if (open.conn === conn) return false;
  return true;
}
