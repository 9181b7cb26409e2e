import { useSignal } from '@preact/signals';
import { SignInOnce, isLinkEnded, linkSecret, useLinkSecret } from './sign-in-once.tsx';
import { useLeaveWhenSignedIn } from './use-leave-when-signed-in.ts';
import { EmailField } from '../../parts/form/email-field.tsx';
import { PhoneLink } from '../../parts/lazy-phone-link.tsx';
import { NotKnown } from '../../parts/not-known.tsx';
import { Page } from '../../parts/page.tsx';
import { LazyFactorStep } from '../../parts/second-factor/lazy-factor-step.tsx';
import { useFactorAction } from '../../parts/second-factor/use-factor-action.ts';
import { api, wasEnded } from '../../request.ts';
import { nextAfterSignIn, place } from '../../router.ts';
import { readAccount, useRelayStatus } from '../../store.ts';
import { CurrentPasswordField } from '../../parts/form/current-password-field.tsx';
import { Form, FormProblem } from '../../parts/form/form.tsx';

export function SignInPage() {
  const email = useSignal('');
  const password = useSignal('');
  const action = useFactorAction(async (secondFactor) => {
    await api.login({ email: email.value, password: password.value, secondFactor });
    wasEnded.value = false;
    isLinkEnded.value = false;
    await readAccount();
  });
  const { run, isBusy, problem, demand } = action;
  useLinkSecret();
  const isWaiting = useLeaveWhenSignedIn(linkSecret.value === undefined);
  if (isWaiting) return <NotKnown />;
  if (linkSecret.value !== undefined) return <SignInOnce secret={linkSecret.value} />;
  if (demand.value) {
    return (
      <Page title="Sign in" narrow>
        <LazyFactorStep action={action} verb="Sign in" />
      </Page>
    );
  }
  const next = nextAfterSignIn();
  const going = pageNames.find(([path]) => next.startsWith(path))?.[1];
  return (
    <Page title="Sign in" narrow>
      <p class="lead">
        {next.startsWith('/pair/')
          ? 'A world asks to be paired with your account. Sign in to see which, and decide.'
          : next.startsWith('/approve/')
            ? 'A program asks for access to your worlds. Sign in to read what it asks, and decide.'
            : 'This relay lets programs act in your tabletop world: bots, overlays, buttons. You decide which, and what they may do.'}{' '}
        {next === '/dashboard' && (
          <a href="/guides/game-masters" target="_blank">
            How it works
          </a>
        )}
      </p>
      {isLinkEnded.value && (
        <p class="notice warn" role="status">
          <strong>This link does not work any more.</strong> Sign in with the password, or start the relay
          anew for another link.
        </p>
      )}
      {wasEnded.value && (
        <p class="notice warn" role="status">
          <strong>You were signed out.</strong>{' '}
          {going ? `Sign in to go on to ${going}.` : 'Sign in to go on.'}
        </p>
      )}
      <Form problem={problem.value} send={() => void run()}>
        <EmailField value={email} />
        <CurrentPasswordField label="Password" value={password} />
        <FormProblem mayRepeat />
        <button class="primary" disabled={isBusy.value}>
          Sign in
        </button>
      </Form>
      <OtherWays />
      {/^\/(pair|approve)\//.test(next) && <PhoneLink path={next} />}
    </Page>
  );
}

/** Where somebody was, the longest path first. */
const pageNames: readonly [path: string, name: string][] = [
  ['/dashboard/worlds', 'Worlds'],
  ['/dashboard/sessions', 'Hosted worlds'],
  ['/dashboard/keys', 'Keys'],
  ['/dashboard/try', 'Try it'],
  ['/dashboard/activity', 'Activity'],
  ['/dashboard/notifications', 'Notifications'],
  ['/dashboard/account', 'Account'],
  ['/dashboard/admin', 'Administration'],
];

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
