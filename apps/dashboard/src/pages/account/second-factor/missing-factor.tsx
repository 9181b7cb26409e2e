import { useEffect } from 'preact/hooks';
import { Page } from '../../../parts/page.tsx';
import { ProblemNotice } from '../../../parts/problem.tsx';
import { place } from '../../../router.ts';
import { secondFactors } from '../../../store.ts';
import { SignOut } from '../sign-out.tsx';
import { SetUpLinks } from './set-up-links.tsx';

/** All that an administrator without a second factor sees, at whatever address. */
export function MissingFactorPage() {
  const { path, search } = place.value;
  useEffect(() => void secondFactors.reload(), []);
  return (
    <Page title="Set up a second factor" narrow actions={<SignOut />}>
      <p class="lead">
        You are an administrator of this relay: whoever signs in as you can reach the accounts of others. So
        besides your password this relay asks you for something that only you have: a code from an app on your
        phone, or a passkey. Set one of them up, and everything else opens.
      </p>
      <ProblemNotice problem={secondFactors.problem.value} />
      <SetUpLinks next={path + search} isFirst />
    </Page>
  );
}
