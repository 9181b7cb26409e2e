import type { Hit } from '../quotas.ts';

/**
 * The store that holds every instance's spent and reserved calls. A rejection leaves open whether the request was
 * executed. Repeating one is harmless, because an instance always states all that it holds.
 */
export interface Ledger {
  /** Registers this instance for the next 5 s. Resolves with the number of registered instances. */
  heartbeat(): Promise<number>;
  /**
   * Replaces what this instance holds of one quota and grants calls. Undefined when the settled total of a persistent
   * quota is unknown to the ledger; then nothing was changed.
   */
  reserve(request: ReserveRequest): Promise<Grant | undefined>;
  /** Counts one event of all instances. */
  hit(key: string, windowMs: number): Promise<Hit>;
  /** Removes the registration of this instance and disconnects. */
  close(): Promise<void>;
}

export interface ReserveRequest {
  quota: string;
  limit: number;
  /** The ledger's id of the window that `held` belongs to. Empty before the ledger's first answer. */
  window: string;
  /** Length in milliseconds of the window to open if none is open. 0 for a persistent quota. */
  windowMs: number;
  /** Calls that this instance has spent and not settled, plus its reserve. */
  held: number;
  /** The unspent part of `held`. */
  reserve: number;
  /** Calls that wait. They are granted while anything remains, because they are no reserve. */
  needed: number;
  /**
   * Calls expected soon. Granted within an eighth of what remains, divided by the number of instances, and one at least:
   * with many instances that share is none, and every call would wait.
   */
  wanted: number;
  /** Settled calls of a persistent quota, as far as this instance knows. */
  total?: number;
}

export interface Grant {
  granted: number;
  /** Calls that remain after the grant. */
  remaining: number;
  /** Calls that this instance holds, the grant included. The request may have stated others, for another window. */
  held: number;
  /** The ledger's id of the current window. */
  window: string;
  /** Milliseconds until the window ends. 0 for a persistent quota. */
  windowMs: number;
}

/** How many calls to grant. The RESERVE script follows the same rule. */
export function grantOf(
  { reserve, needed, wanted }: Pick<ReserveRequest, 'reserve' | 'needed' | 'wanted'>,
  remaining: number,
  instances: number,
): number {
  if (remaining <= needed) return Math.max(0, remaining);
  const share = Math.max(1, Math.floor((remaining - needed + reserve) / (8 * Math.max(1, instances))));
  return needed + Math.max(0, Math.min(wanted, share - reserve));
}
