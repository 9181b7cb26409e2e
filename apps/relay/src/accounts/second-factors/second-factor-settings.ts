import { count, milliseconds } from '@tabletop-relay/process';

/** How long a challenge lives, and how often a second factor may be wrong. */
export const secondFactorSettings = {
  maxPasskeysPerAccount: count(20, 'Passkeys of an account; above it 409 `conflict`.'),
  secondFactorChallengeMs: milliseconds(
    300_000,
    'Time within which the challenge of `second_factor_required` may be answered.',
  ),
  secondFactorSetupMs: milliseconds(600_000, 'Time that setting up a second factor may take.'),
  secondFactorFailuresPerAccount: count(
    10,
    'Wrong second factors within an hour of one account, given with the right password and not on a known device; ' +
      'from then on none is looked at until the hour is over.',
  ),
  secondFactorAnswersPerAccount: count(
    100,
    'Second factors of one account that are looked at within the life of a challenge; above it 429 `rate_limited`.',
  ),
};
