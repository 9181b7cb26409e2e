/** A command that came to the world, as its page lists it. */
export interface CallRecord {
  requestId: string;
  operation: string;
  userId?: string;
  /** What the relay calls the program; absent with a relay that does not tell. */
  program?: string;
  /** Epoch milliseconds when the command arrived. */
  at: number;
  /** Milliseconds to the answer; absent while it runs. */
  tookMs?: number;
  outcome: 'running' | 'answered' | 'refused';
  error?: string;
}
