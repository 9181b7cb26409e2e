import type { AddedFactor } from '@tabletop-relay/contract';
import { announce } from '../../../parts/announcer.tsx';
import { navigate, nextPlace } from '../../../router.ts';
import { readAccount, secondFactors, sessions } from '../../../store.ts';
import { newRecoveryCodes } from './new-recovery-codes.ts';

/** After a factor was set up: its recovery codes, if it is the first, and then on. */
export async function finishSetUp({ factor, recoveryCodes }: AddedFactor): Promise<void> {
  if (recoveryCodes) newRecoveryCodes.value = recoveryCodes;
  announce(`${factor.name} is set up.`);
  navigate(nextPlace('/dashboard/account'), { replace: true });
  await Promise.all([readAccount(), secondFactors.reload(), sessions.reload()]);
}
