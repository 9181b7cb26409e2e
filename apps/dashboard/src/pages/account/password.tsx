import { useSignal } from '@preact/signals';
import { LazyFactorStep } from '../../parts/second-factor/lazy-factor-step.tsx';
import { useFactorAction } from '../../parts/second-factor/use-factor-action.ts';
import { account, api } from '../../request.ts';
import { sessions } from '../../store.ts';
import { NewPasswordField } from '../../parts/form/new-password-field.tsx';
import { CurrentPasswordField } from '../../parts/form/current-password-field.tsx';
import { Form, FormProblem } from '../../parts/form/form.tsx';

export function Password() {
  const currentPassword = useSignal('');
  const newPassword = useSignal('');
  const isDone = useSignal(false);
  const action = useFactorAction(async (secondFactor) => {
    isDone.value = false;
    await api.changePassword({
      currentPassword: currentPassword.value,
      newPassword: newPassword.value,
      secondFactor,
    });
    currentPassword.value = '';
    newPassword.value = '';
    isDone.value = true;
    await sessions.reload();
  });
  const { run, isBusy, problem, demand } = action;
  if (demand.value) {
    return (
      <section>
        <h2>Password</h2>
        <LazyFactorStep action={action} verb="Change password" />
      </section>
    );
  }
  return (
    <section>
      <h2>Password</h2>
      <Form class="narrow" problem={problem.value} send={() => void run()}>
        {/* Password stores want to know whose password it is. */}
        <input
          class="visually-hidden"
          autoComplete="username"
          tabIndex={-1}
          aria-hidden="true"
          readOnly
          value={account.value?.email ?? ''}
        />
        <CurrentPasswordField label="Current password" name="currentPassword" value={currentPassword} />
        <NewPasswordField label="New password" name="newPassword" value={newPassword} />
        <FormProblem />
        <div role="status">
          {isDone.value && <p class="notice good">Password changed. Your other sessions have ended.</p>}
        </div>
        <button disabled={isBusy.value}>Change password</button>
      </Form>
    </section>
  );
}
