import { useEffect } from 'preact/hooks';
import { forgetPageKeys } from '../page-keys.ts';
import { account } from '../request.ts';
import { forgetAll, learnWhoIsIn } from '../store.ts';
import { AccountMenu } from './account-menu.tsx';
import { SignInLink } from './sign-in-link.tsx';

/** The account's menu, as long as the session that this browser remembers goes on. */
export function SignedInEntry() {
  useEffect(() => void learnWhoIsIn(), []);
  const isOut = account.value === null;
  useEffect(() => {
    if (!isOut) return;
    forgetAll();
    forgetPageKeys();
  }, [isOut]);
  return isOut ? <SignInLink /> : <AccountMenu />;
}
