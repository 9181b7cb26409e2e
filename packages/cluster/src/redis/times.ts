/** Milliseconds. Each usable time must be shorter than its lease or hold: an instance stops acting before others may. */
export interface ClusterTimes {
  /** Interval of the lease renewals. */
  renewMs: number;
  /** Time-out of every command to Redis but those that carry large bodies, which have `bulkAnswerMs`. */
  answerMs: number;
  bulkAnswerMs: number;
  leaseMs: number;
  /** Counted from the time that the last answered renewal was sent. */
  leaseUsableMs: number;
  holdMs: number;
  holdUsableMs: number;
  probeAnswerMs: number;
  /** Interval at which an instance asserts its claims again. */
  reassertMs: number;
  /** The longest time that a newcomer waits for a decision, and its pause between claims. */
  claimMs: number;
  claimPauseMs: number;
  /** Interval at which an instance looks whether its standbys' clients are free. */
  lookMs: number;
  /** Interval at which the owners of calls in flight are checked. */
  watchMs: number;
  /** How long a reply may still arrive after its connection was broken. */
  graceMs: number;
  /** Time-outs of an instance's start, and of the release of its claims at its stop. */
  startMs: number;
  stopMs: number;
  /**
   * How long the word of an instance on its Redis counts: three of its reports. A start that waits for one has `agreeMs`,
   * which is longer, so that it outlasts the word of those that were killed.
   */
  wordMs: number;
  agreeMs: number;
  /** The longest time that a stop waits for large replies: their askers may have no room before other callers have read. */
  repliesStopMs: number;
}

export const defaultTimes: ClusterTimes = {
  renewMs: 1_000,
  answerMs: 800,
  bulkAnswerMs: 4_000,
  leaseMs: 4_000,
  leaseUsableMs: 3_500,
  holdMs: 6_000,
  holdUsableMs: 5_500,
  probeAnswerMs: 2_500,
  reassertMs: 20_000,
  claimMs: 7_000,
  claimPauseMs: 250,
  lookMs: 1_000,
  watchMs: 30,
  graceMs: 1_000,
  startMs: 10_000,
  stopMs: 2_000,
  wordMs: 15_000,
  agreeMs: 20_000,
  repliesStopMs: 8_000,
};
