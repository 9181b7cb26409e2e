import { count } from '@tabletop-relay/process';
import type { SettingsOf } from '@tabletop-relay/process';
import { Type } from 'typebox';
import type { passwordSettings } from '../../credentials/passwords/password-settings.ts';
import type { SecondFactorSettings } from '../second-factors/second-factor-constants.ts';

/** Whether people may register, the sessions of an account, and the failed sign-ins that are free. */
export const signInSettings = {
  registration: Type.Enum(['open', 'closed'], {
    default: 'open',
    description: 'Whether new accounts may register.',
  }),
  maxSessionsPerAccount: count(100, 'Sessions of an account; a sign-in above it ends the oldest.'),
  signInFailuresPerPair: count(
    5,
    'Failed sign-ins within an hour of one account from one address; from then on each must wait longer, up to 5 minutes.',
  ),
  signInFailuresPerDevice: count(
    10,
    'Failed sign-ins within an hour of one account on a device where it was signed in; from then on the device counts as a stranger’s.',
  ),
  signInFailuresPerAccount: count(
    10,
    'Failed sign-ins within an hour of one account from wherever; from then on strangers to it wait in line for theirs.',
  ),
};

/** Sign-ins of unknown devices that may wait at the gates of all accounts on one instance. */
const strangersWaiting = 1_000;

/** Sign-ins of one address that may wait at the gate of one account; of an IPv6 /48 four times as many. */
const strangersPerAddress = 3;

type Settings = SettingsOf<typeof signInSettings & Pick<typeof passwordSettings, 'signInWaitMs'>> &
  Pick<SecondFactorSettings, 'secondFactorFailuresPerAccount'>;

export function readGuardSettings(settings: Settings) {
  return {
    failuresPerPair: settings.signInFailuresPerPair,
    failuresPerDevice: settings.signInFailuresPerDevice,
    failuresPerAccount: settings.signInFailuresPerAccount,
    secondFactorFailures: settings.secondFactorFailuresPerAccount,
    strangers: {
      waiting: strangersWaiting,
      waitingPerAddress: strangersPerAddress,
      waitMs: settings.signInWaitMs,
    },
  };
}
