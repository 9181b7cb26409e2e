import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Field } from '../../parts/field.tsx';
import { Page } from '../../parts/page.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { LazyFactorStep } from '../../parts/second-factor/lazy-factor-step.tsx';
import { useFactorAction } from '../../parts/second-factor/use-factor-action.ts';
import { account, api } from '../../request.ts';
import { navigate, nextAfterSignIn, place } from '../../router.ts';
import { readAccount, relayStatus } from '../../store.ts';
import { CurrentPasswordField } from '../../parts/current-password-field.tsx';

export function SignInPage() {
  const email = useSignal('');
  const password = useSignal('');
  const action = useFactorAction(async (secondFactor) => {
    await api.login({ email: email.value, password: password.value, secondFactor });
    await readAccount();
  });
  const { run, isBusy, problem, demand } = action;
  useLeaveWhenSignedIn();
  if (demand.value) {
    return (
      <Page title="Sign in" narrow>
        <LazyFactorStep action={action} verb="Sign in" />
      </Page>
    );
  }
  const next = nextAfterSignIn();
  return (
    <Page title="Sign in" narrow>
      <p class="lead">
        {next.startsWith('/approve/')
          ? 'A program asks for access to your worlds. Sign in to read what it asks, and decide.'
          : 'Your worlds, your keys, and who is calling.'}
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <Field label="E-mail address">
          {(attributes) => (
            <input
              {...attributes}
              type="email"
              autoComplete="username"
              required
              value={email}
              onInput={(event) => (email.value = event.currentTarget.value)}
            />
          )}
        </Field>
        <CurrentPasswordField label="Password" value={password} />
        <ProblemNotice problem={problem.value} />
        <button class="primary" disabled={isBusy.value}>
          Sign in
        </button>
      </form>
      <OtherWays />
    </Page>
  );
}

/** For who has no account yet, and for who has forgotten the password. */
function OtherWays() {
  return (
    <p class="below">
      {relayStatus.data.value?.registration !== 'closed' && (
        <>
          No account yet? <a href={`/dashboard/register${place.value.search}`}>Register</a>.{' '}
        </>
      )}
      <a href="/dashboard/forgot-password">Forgot your password?</a>
    </p>
  );
}

/** Signing in, here or in another tab, leads on to where the person was going. */
function useLeaveWhenSignedIn(): void {
  const isSignedIn = Boolean(account.value);
  useEffect(() => {
    if (isSignedIn) navigate(nextAfterSignIn(), { replace: true });
  }, [isSignedIn]);
}
