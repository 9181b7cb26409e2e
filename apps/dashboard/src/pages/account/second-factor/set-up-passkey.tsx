import { useSignal } from '@preact/signals';
import type { AnswerOf, endpoints } from '@tabletop-relay/contract';
import { NameField } from '../../../parts/form/name-field.tsx';
import { Page } from '../../../parts/page.tsx';
import { PasswordForm } from '../../../parts/second-factor/password-form.tsx';
import { canUsePasskeys } from '../../../parts/second-factor/can-use-passkeys.ts';
import { api } from '../../../request.ts';
import { navigate, nextPlace } from '../../../router.ts';
import { CreatePasskey } from './create-passkey.tsx';

type SetUp = AnswerOf<(typeof endpoints)['beginPasskey']>;

export function SetUpPasskeyPage() {
  const name = useSignal('');
  const begun = useSignal<SetUp | undefined>(undefined);
  if (!canUsePasskeys()) return <NoPasskeys />;
  return (
    <Page title="Add a passkey" narrow>
      {begun.value ? (
        <CreatePasskey setUp={begun.value} name={name.value} startAgain={() => (begun.value = undefined)} />
      ) : (
        <>
          <p class="lead">
            A passkey is kept by your phone, your computer, your password store or a security key. When you
            sign in, you confirm it there after your password; nothing has to be typed.
          </p>
          <PasswordForm
            verb="Continue"
            act={async (proof) => {
              begun.value = await api.beginPasskey(proof);
            }}
            cancel={() => navigate(nextPlace('/dashboard/account'))}
          >
            <NameField
              value={name}
              hint="So that you know it again, for example “My laptop” or “Blue key”."
            />
          </PasswordForm>
        </>
      )}
    </Page>
  );
}

function NoPasskeys() {
  return (
    <Page title="Add a passkey" narrow>
      <p>
        This browser knows no passkeys at this address. Use another browser, or{' '}
        <a href="/dashboard/account/authenticator-app">set up an authenticator app</a>.
      </p>
    </Page>
  );
}
