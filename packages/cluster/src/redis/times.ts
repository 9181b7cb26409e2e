/** Milliseconds. The order matters: usable < lease, so an instance stops acting before others may take over. */
export interface ClusterTimes {
  renewMs: number;
  /** How long any command to Redis may stay unanswered. */
  answerMs: number;
  leaseMs: number;
  /** Counted from the sending of the last renewal that was answered. */
  leaseUsableMs: number;
  holdMs: number;
  holdUsableMs: number;
  probeAnswerMs: number;
  reassertMs: number;
  /** The longest that a newcomer waits for a decision, and its pause between claims. */
  claimMs: number;
  claimPauseMs: number;
  watchMs: number;
  /** How long a reply may still come once its way has been broken. */
  graceMs: number;
  /** How long an instance may take to start, and to give up its claims at its end. */
  startMs: number;
  stopMs: number;
}

export const defaultTimes: ClusterTimes = {
  renewMs: 1_000,
  answerMs: 800,
  leaseMs: 4_000,
  leaseUsableMs: 3_500,
  holdMs: 6_000,
  holdUsableMs: 5_500,
  probeAnswerMs: 2_500,
  reassertMs: 20_000,
  claimMs: 7_000,
  claimPauseMs: 250,
  watchMs: 30,
  graceMs: 1_000,
  startMs: 10_000,
  stopMs: 2_000,
};
