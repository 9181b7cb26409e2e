/** How long a challenge lives, and how often a second factor may be wrong. */
export const secondFactorConstants = {
  /** Passkeys of an account; above it 409 `conflict`. */
  maxPasskeysPerAccount: 20,
  /** Time within which the challenge of `second_factor_required` may be answered. */
  secondFactorChallengeMs: 300_000,
  /** Time that setting up a second factor may take. */
  secondFactorSetupMs: 600_000,
  /**
   * Wrong codes of the authenticator app of one account within an hour, given with the right password and not on a known
   * device; from then on none is looked at until the hour is over. Recovery codes and passkeys are.
   */
  secondFactorFailuresPerAccount: 10,
  /**
   * Challenges of one account that are used up within the life of one; above it 429 `rate_limited`. Recovery codes use up
   * none.
   */
  secondFactorAnswersPerAccount: 100,
};

export type SecondFactorSettings = typeof secondFactorConstants;
