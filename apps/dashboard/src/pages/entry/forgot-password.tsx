import { useSignal } from '@preact/signals';
import { EmailField } from '../../parts/form/email-field.tsx';
import { Page } from '../../parts/page.tsx';
import { api } from '../../request.ts';
import { useAction } from '../../use-action.ts';
import { Form, FormProblem } from '../../parts/form/form.tsx';

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
            <strong>If {email.value} has an account, a link is on its way.</strong> It works once, within an
            hour. If this relay has no mail server, its operator finds the link in the log.
          </p>
        </div>
      ) : (
        <Form problem={problem.value} send={() => void run()}>
          <EmailField value={email} hint="We send a link that lets you choose a new password." />
          <FormProblem />
          <button class="primary" disabled={isBusy.value}>
            Send link
          </button>
        </Form>
      )}
      <p class="below">
        <a href="/dashboard/sign-in">Back to sign in</a>
      </p>
    </Page>
  );
}
