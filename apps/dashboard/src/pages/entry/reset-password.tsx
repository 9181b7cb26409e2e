import { useSignal } from '@preact/signals';
import { Page } from '../../parts/page.tsx';
import { api } from '../../request.ts';
import { useAction } from '../../use-action.ts';
import { NewPasswordField } from '../../parts/form/new-password-field.tsx';
import { Form, FormProblem } from '../../parts/form/form.tsx';

/** The page of the mailed link. The link's secret stands behind the #, which browsers send to no server. */
export function ResetPasswordPage() {
  const password = useSignal('');
  const isDone = useSignal(false);
  const token = location.hash.slice(1);
  const { run, isBusy, problem } = useAction(async () => {
    await api.resetPassword({ token, password: password.value });
    isDone.value = true;
  });
  if (isDone.value) {
    return (
      <Page title="Your password is set" narrow>
        <p class="lead">Your other sessions have ended.</p>
        <a class="button primary" href="/dashboard/sign-in">
          Sign in
        </a>
      </Page>
    );
  }
  return (
    <Page title="Choose a new password" narrow>
      {token ? (
        <Form problem={problem.value} send={() => void run()}>
          <NewPasswordField label="New password" value={password} />
          <FormProblem />
          <button class="primary" disabled={isBusy.value}>
            Set password
          </button>
        </Form>
      ) : (
        <p class="notice warn">This link is incomplete. Open it from the e-mail again, or copy all of it.</p>
      )}
      <p class="below">
        <a href="/dashboard/forgot-password">Ask for a new link</a>
      </p>
    </Page>
  );
}
