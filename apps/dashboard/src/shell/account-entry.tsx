import { lazy } from '../parts/lazy.tsx';
import { wasSignedIn } from '../signed-in-mark.ts';
import { SignInLink } from './sign-in-link.tsx';

/** Without an earlier sign-in the code of the account’s menu is not loaded. */
const LazySignedInEntry = lazy(
  async () => (await import('./signed-in-entry.tsx')).SignedInEntry,
  <a href="/dashboard/account">Account</a>,
);

/** End of the header of the docs: the account’s menu, or the link to sign in. */
export const AccountEntry = () => (wasSignedIn() ? <LazySignedInEntry /> : <SignInLink />);
