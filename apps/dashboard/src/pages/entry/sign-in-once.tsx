import { signal } from '@preact/signals';
import type { Problem } from '@tabletop-relay/contract';
import { RelayError } from '@tabletop-relay/sdk';
import { useLayoutEffect } from 'preact/hooks';
import { Page, focusTitle } from '../../parts/page.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { account } from '../../request.ts';
import { nextAfterSignIn } from '../../router.ts';
import { useAction } from '../../use-action.ts';

/** The secret of the link that a start printed, as long as it is not used. */
export const linkSecret = signal<string | undefined>(undefined);

/** Whether a link works no more: the form to sign in says so. */
export const isLinkEnded = signal(false);

/** Takes the secret out of the address bar, and with it out of the history, before anything else happens. */
function takeSecret(): void {
  const secret = new URLSearchParams(location.hash.slice(1)).get('link');
  if (secret === null) return;
  history.replaceState(null, '', location.pathname + location.search);
  linkSecret.value = secret;
}

/** Reads the link with which the page was opened. A link that is pasted into an open page changes nothing but what is behind the `#`. */
export function useLinkSecret(): void {
  useLayoutEffect(() => {
    takeSecret();
    addEventListener('hashchange', takeSecret);
    return () => removeEventListener('hashchange', takeSecret);
  }, []);
}

/**
 * Signs in by the link that a start printed. It asks first: whoever is sent somebody else's link would be in that person's account
 * unseen, and what they then create would be that person's.
 */
export function SignInOnce({ secret }: { secret: string }) {
  const me = account.value;
  useTitleFocus();
  const { run, isBusy, problem } = useAction(async () => {
    isLinkEnded.value = !(await use(secret));
    if (isLinkEnded.value) linkSecret.value = undefined;
    // What was read for the account before goes with the page.
    else location.replace(nextAfterSignIn());
  });
  return (
    <Page title="Sign in to the demo account" narrow>
      <p class="lead">
        This link was printed when the relay on this computer was started. It works once, within ten minutes.
      </p>
      {me && (
        <p class="lead">
          You are signed in as <strong>{me.email}</strong>. Going on signs you out of that account in this
          browser.
        </p>
      )}
      <p class="lead">
        Did somebody send you this link? Then leave: you would be in their account, and so would the worlds
        that you pair.
      </p>
      <ProblemNotice problem={problem.value} mayRepeat />
      <div class="buttons">
        <button type="button" class="primary" disabled={isBusy.value} onClick={() => void run()}>
          Sign in
        </button>
        <button type="button" class="quiet" onClick={() => (linkSecret.value = undefined)}>
          {me ? 'Stay in my account' : 'Sign in with a password'}
        </button>
      </div>
    </Page>
  );
}

/** The form to sign in gives its place to this page and takes it back, each time with the field or button that had the focus. */
function useTitleFocus(): void {
  useLayoutEffect(() => {
    focusTitle();
    return () => requestAnimationFrame(() => document.activeElement === document.body && focusTitle());
  }, []);
}

/** Uses the link up; false for one that ended. Throws where it may be tried again. */
async function use(secret: string): Promise<boolean> {
  const response = await fetch('/auth/sign-in-link', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret }),
  }).catch((cause: unknown) => {
    throw new RelayError({ code: 'connection_failed', detail: 'The relay does not answer.', cause });
  });
  if (response.ok) return true;
  if (response.status === 401) return false;
  const problem = (await response.json().catch(() => undefined)) as Problem | undefined;
  if (problem) throw new RelayError({ ...problem, problem });
  throw new RelayError({ code: 'connection_failed', detail: 'What answers is not the relay.' });
}
