/**
 * What limiters spend from, counted over all instances. Each takes a reserve ahead of need, so that a call waits
 * only when the reserve is empty. Never above a limit; early by at most an eighth of what was left when the
 * reserves were taken. While the ledger is away an instance spends its share of what it knew to be left.
 */
export interface Allowances {
  /** Resolves also while the ledger is away: it is looked for each second. */
  start(): Promise<void>;
  /** Gives every reserve back, and spends no more. */
  stop(): Promise<void>;
  /** A window begins with a key's first call, and its count with it. `name` must be unique. */
  perWindow(name: string, windowMs: number): Limiter;
  /** Counts that outlive the ledger: `readTotal` tells what was settled of a key elsewhere. */
  lasting(name: string, readTotal: (key: string) => Promise<number>): LastingLimiter;
  /** Counts exactly and at once, one round trip each; in this process alone while the ledger is away. Never rejects. */
  hit(key: string, windowMs: number): Promise<Hit>;
  /** Whether the last second's word to the ledger was answered. */
  isShared(): boolean;
}

export interface Limiter {
  /** Spends one call. Synchronous while the reserve lasts; never rejects. A refused call costs nothing. */
  spend(key: string, limit: number): Spent | Promise<Spent>;
}

export interface LastingLimiter extends Limiter {
  /** One call that was spent here, and is not settled, never counted: all instances may spend it again. */
  giveBack(key: string): void;
  /** `calls` of what was spent here are part of the settled `total` by now. */
  settle(key: string, calls: number, total: number): void;
}

export interface Spent {
  allowed: boolean;
  /** What is left over all instances, as far as this one knows. */
  left: number;
  /** Until the window ends; Infinity where nothing ends. */
  resetMs: number;
}

export interface Hit {
  /** This one included. */
  count: number;
  resetMs: number;
}

/** Where all instances' holdings stand together. A rejection leaves open whether the word was heard. */
export interface Ledger {
  /** Says that this instance lives, for the next 5 s; resolves with how many do. */
  beat(): Promise<number>;
  /**
   * Replaces what this instance holds of one budget and grants what is asked. Undefined: a lasting budget whose
   * total nobody has told yet; nothing was changed.
   */
  enter(entry: Entry): Promise<Grant | undefined>;
  hit(key: string, windowMs: number): Promise<Hit>;
  /** Ends the life of this instance and the connection. */
  close(): Promise<void>;
}

export interface Entry {
  budget: string;
  limit: number;
  /** The window that `held` belongs to, by the ledger's name; empty before its first answer. */
  window: string;
  /** Milliseconds of a window that has to be opened; 0: a lasting budget. */
  windowMs: number;
  /** What this instance has spent and not settled, and its reserve: together. */
  held: number;
  reserve: number;
  /** Calls that wait. They are granted whatever is left, for they are no reserve. */
  needed: number;
  /** Calls expected: granted from an eighth of what is left, divided by the living instances. */
  wanted: number;
  /** What is settled of a lasting budget, as far as this instance knows. */
  total?: number;
}

export interface Grant {
  granted: number;
  /** After the grant. */
  left: number;
  /** What this instance holds, the grant included. Differs from its own word while another window still runs. */
  held: number;
  window: string;
  /** Until the window ends; 0 for a lasting budget. */
  windowMs: number;
}

/** What may be granted: the rule that both drivers follow. */
export function grantOf(
  entry: Pick<Entry, 'reserve' | 'needed' | 'wanted'>,
  left: number,
  instances: number,
): number {
  if (left <= entry.needed) return Math.max(0, left);
  const share = Math.floor((left - entry.needed + entry.reserve) / (8 * Math.max(1, instances)));
  return entry.needed + Math.max(0, Math.min(entry.wanted, share - entry.reserve));
}
