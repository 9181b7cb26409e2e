import { useSignal } from '@preact/signals';
import { useLeaveWhenSignedIn } from './use-leave-when-signed-in.ts';
import { EmailField } from '../../parts/form/email-field.tsx';
import { NotKnown } from '../../parts/not-known.tsx';
import { Page } from '../../parts/page.tsx';
import { LazyFactorStep } from '../../parts/second-factor/lazy-factor-step.tsx';
import { useFactorAction } from '../../parts/second-factor/use-factor-action.ts';
import { api } from '../../request.ts';
import { nextAfterSignIn, place } from '../../router.ts';
import { readAccount, useRelayStatus } from '../../store.ts';
import { CurrentPasswordField } from '../../parts/form/current-password-field.tsx';
import { Form, FormProblem } from '../../parts/form/form.tsx';

export function SignInPage() {
  const email = useSignal('');
  const password = useSignal('');
  const action = useFactorAction(async (secondFactor) => {
    await api.login({ email: email.value, password: password.value, secondFactor });
    await readAccount();
  });
  const { run, isBusy, problem, demand } = action;
  const isWaiting = useLeaveWhenSignedIn();
  if (isWaiting) return <NotKnown />;
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
      <Form problem={problem.value} send={() => void run()}>
        <EmailField value={email} />
        <CurrentPasswordField label="Password" value={password} />
        <FormProblem mayRepeat />
        <button class="primary" disabled={isBusy.value}>
          Sign in
        </button>
      </Form>
      <OtherWays />
    </Page>
  );
}

/** For who has no account yet, and for who has forgotten the password. */
function OtherWays() {
  const isClosed = useRelayStatus()?.registration === 'closed';
  return (
    <p class="below">
      {!isClosed && (
        <>
          No account yet? <a href={`/dashboard/register${place.value.search}`}>Register</a>.{' '}
        </>
      )}
      <a href="/dashboard/forgot-password">Forgot your password?</a>
    </p>
  );
}
