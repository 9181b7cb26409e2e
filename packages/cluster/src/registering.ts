import type { Instance } from './cluster.ts';

const registeringMs = 10_000;

/**
 * True while a claim that was just made has no open socket, because its instance is still checking the credentials.
 * Such a claim counts as alive. If it were fenced now, its socket would open after it had lost its client.
 */
export function isRegistering(instance: Instance, conn: string, claimedAt: number): boolean {
  if (performance.now() - claimedAt > registeringMs) return false;
  for (const open of instance.claims()) if (open.conn === conn) return false;
  return true;
}
