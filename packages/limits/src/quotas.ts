/**
 * Rate limits and quotas over all instances. Each instance reserves calls ahead of need, so a call waits only when the
 * reserve is empty. A limit is never exceeded while all instances reach the ledger or none does. A refusal may come
 * early: by at most an eighth of what remained when the reserves were taken, or by one for each instance that the key
 * called within the last 10 s, whichever is more. While the ledger is down, an instance spends its share of what remained
 * as far as it knows.
 */
export interface Quotas {
  /** Resolves also when the ledger is down: an instance tries to reach it every second. */
  start(): Promise<void>;
  /** Returns all reserves to the ledger. Nothing may be spent afterwards. */
  stop(): Promise<void>;
  /** A quota per key and window. A key's window begins with its first call. `name` must be unique. */
  perWindow(name: string, windowMs: number): Limiter;
  /**
   * A quota per key without a window, for counts that must survive the loss of the ledger. `readTotal` reads how much
   * of a key's quota is settled, which means recorded in a durable store. `name` must be unique.
   */
  persistent(name: string, readTotal: (key: string) => Promise<number>): PersistentLimiter;
  /**
   * Counts one event exactly, at the price of a round trip to the ledger. While the ledger is down it counts the
   * events of this process only. Never rejects.
   */
  hit(key: string, windowMs: number): Promise<Hit>;
  /** False while the ledger is down. */
  isShared(): boolean;
}

export interface Limiter {
  /** Spends one call, without waiting for the ledger while the reserve lasts. Never rejects. A refused call costs nothing. */
  spend(key: string, limit: number): Promise<SpendResult>;
}

export interface PersistentLimiter extends Limiter {
  /** Takes back one call that this instance spent and has not settled. Every instance may spend it again. */
  refund(key: string): void;
  /** Tells that `calls` of those spent here are recorded durably, as part of `total`. */
  settle(key: string, calls: number, total: number): void;
}

export interface SpendResult {
  allowed: boolean;
  /** Calls that remain over all instances, as far as this one knows. */
  remaining: number;
  /** Milliseconds until the window ends. Infinity for a persistent quota. */
  resetMs: number;
}

export interface Hit {
  /** Events in the window, this one included. */
  count: number;
  /** Milliseconds until the window ends. */
  resetMs: number;
}
