/**
 * Notes that open something once, and again only to who proves to have been there. The cluster reads neither notes nor
 * proofs. Every method rejects with `ClusterUnavailable`.
 */
export interface Tickets {
  /** Keeps a note under the digest of a ticket, for so long as it is not used. */
  issue(id: string, note: string, unusedMs: number): Promise<void>;
  /**
   * Opens a ticket that is used for the first time, or by who shows the proof of its last use or of the one before that;
   * undefined for any other. `next` is the proof of this use: the use before may never have learnt its own. So a proof that is
   * shown many times at once opens many times, and who opens tells by the `turn` which of them is the newest.
   */
  use(id: string, proof: { shown: string; next: string }): Promise<TicketNote | undefined>;
  /** Keeps used tickets for five more minutes. Resolves with the turn of the last use of each that is known. */
  keep(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

interface TicketNote {
  note: string;
  /** Counts the uses of a ticket, from 1. */
  turn: number;
}

/** How long who used a ticket may be away. */
export const ticketAwayMs = 300_000;
