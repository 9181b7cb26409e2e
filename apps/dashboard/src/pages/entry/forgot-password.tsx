import { useSignal } from '@preact/signals';
import { Field } from '../../parts/field.tsx';
import { Page } from '../../parts/page.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { api } from '../../request.ts';
import { useAction } from '../../use-action.ts';

export function ForgotPasswordPage() {
  const email = useSignal('');
  const isSent = useSignal(false);
  const { run, isBusy, problem } = useAction(async () => {
    await api.forgotPassword({ email: email.value });
    isSent.value = true;
  });
  return (
    <Page title="Forgot your password?" narrow>
      {isSent.value ? (
        <div role="status">
          <p class="notice good">
            <strong>If {email.value} has an account, a link is on its way.</strong> It works once, for an
            hour. On a relay without a mail server the link is in its log.
          </p>
        </div>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void run();
          }}
        >
          <Field label="E-mail address" hint="We send a link that lets you choose a new password.">
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
          <ProblemNotice problem={problem.value} />
          <button class="primary" disabled={isBusy.value}>
            Send link
          </button>
        </form>
      )}
      <p class="below">
        <a href="/dashboard/sign-in">Back to sign in</a>
      </p>
    </Page>
  );
}
