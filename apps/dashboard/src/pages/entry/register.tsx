import { useSignal } from '@preact/signals';
import { useLeaveWhenSignedIn } from './use-leave-when-signed-in.ts';
import { EmailField } from '../../parts/form/email-field.tsx';
import { NotKnown } from '../../parts/not-known.tsx';
import { Page } from '../../parts/page.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { api } from '../../request.ts';
import { navigate, nextAfterSignIn, place } from '../../router.ts';
import { readAccount, useRelayStatus } from '../../store.ts';
import { useAction } from '../../use-action.ts';
import { NewPasswordField } from '../../parts/form/new-password-field.tsx';
import { Form, FormProblem } from '../../parts/form/form.tsx';

export function RegisterPage() {
  const email = useSignal('');
  const password = useSignal('');
  const masterKey = useSignal('');
  const { run, isBusy, problem } = useAction(async () => {
    masterKey.value = (await api.register({ email: email.value, password: password.value })).masterKey;
  });
  const isWaiting = useLeaveWhenSignedIn(masterKey.value === '');
  const isClosed = useRelayStatus()?.registration === 'closed';
  const goOn = async () => {
    await readAccount();
    navigate(nextAfterSignIn(), { replace: true });
  };
  if (masterKey.value) {
    return (
      <Page title="Your master key" narrow>
        <p class="lead">
          Your account is ready. This key can do everything with it: keep it for emergencies, and give each
          program a key of its own.
        </p>
        <SecretOnce
          what="Master key"
          value={masterKey.value}
          onStored={() => void goOn()}
          onLeave={() => void readAccount()}
        />
      </Page>
    );
  }
  if (isWaiting) return <NotKnown />;
  if (isClosed) return <Closed />;
  return (
    <Page title="Register" narrow>
      <Form problem={problem.value} send={() => void run()}>
        <EmailField value={email} />
        <NewPasswordField label="Password" value={password} />
        <FormProblem />
        <button class="primary" disabled={isBusy.value}>
          Open account
        </button>
      </Form>
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
