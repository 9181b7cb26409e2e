import { lazy } from '../parts/lazy.tsx';
import { wasSignedIn } from '../signed-in-mark.ts';
import { SignInLink } from './sign-in-link.tsx';

/** Strangers never load the code of the account's menu. */
const LazyKnownVisitor = lazy(
  async () => (await import('./known-visitor.tsx')).KnownVisitor,
  <a href="/dashboard/account">Account</a>,
);

/** At the end of the head of the docs: the account's menu, or the way in. */
export const Visitor = () => (wasSignedIn() ? <LazyKnownVisitor /> : <SignInLink />);
