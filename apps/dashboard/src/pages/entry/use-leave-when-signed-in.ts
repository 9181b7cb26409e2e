import { useEffect } from 'preact/hooks';
import { account } from '../../request.ts';
import { navigate, nextAfterSignIn } from '../../router.ts';
import { wasSignedIn } from '../../signed-in-mark.ts';
import { accountProblem } from '../../store.ts';

/**
 * Signing in, here or in another tab, leads on to where the person was going. `mayLeave`: nothing keeps them here. True for who leaves,
 * and as long as it is not known whether somebody who was signed in still is, or who has just signed in: they never see the form.
 */
export function useLeaveWhenSignedIn(mayLeave = true): boolean {
  const isLeaving = mayLeave && Boolean(account.value);
  useEffect(() => {
    if (isLeaving) navigate(nextAfterSignIn(), { replace: true });
  }, [isLeaving]);
  return isLeaving || (account.value === undefined && (wasSignedIn() || accountProblem.value !== undefined));
}
