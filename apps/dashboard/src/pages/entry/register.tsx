import { useSignal } from '@preact/signals';
import { Field } from '../../parts/field.tsx';
import { Page } from '../../parts/page.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { api } from '../../request.ts';
import { navigate, nextAfterSignIn, place } from '../../router.ts';
import { readAccount, relayStatus } from '../../store.ts';
import { useAction } from '../../use-action.ts';
import { NewPasswordField } from './new-password-field.tsx';

export function RegisterPage() {
  const email = useSignal('');
  const password = useSignal('');
  const masterKey = useSignal('');
  const { run, isBusy, problem } = useAction(async () => {
    masterKey.value = (await api.register({ email: email.value, password: password.value })).masterKey;
  });
  const goOn = async () => {
    await readAccount();
    navigate(nextAfterSignIn(), { replace: true });
  };
  if (masterKey.value) {
    return (
      <Page title="Your master key" narrow>
        <p class="lead">
          Your account is open. This key may do everything with it: keep it for emergencies, and give programs
          keys of their own.
        </p>
        <SecretOnce what="Master key" value={masterKey.value} onStored={() => void goOn()} />
      </Page>
    );
  }
  if (relayStatus.data.value?.registration === 'closed') return <Closed />;
  return (
    <Page title="Register" narrow>
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
              maxLength={254}
              value={email}
              onInput={(event) => (email.value = event.currentTarget.value)}
            />
          )}
        </Field>
        <NewPasswordField label="Password" value={password} />
        <ProblemNotice problem={problem.value} />
        <button class="primary" disabled={isBusy.value}>
          Open account
        </button>
      </form>
      <p class="below">
        Have one already? <a href={`/dashboard/sign-in${place.value.search}`}>Sign in</a>.
      </p>
    </Page>
  );
}

function Closed() {
  return (
    <Page title="Register" narrow>
      <p>
        This relay takes no new accounts. Ask its operator, or <a href="/dashboard/sign-in">sign in</a>.
      </p>
    </Page>
  );
}
