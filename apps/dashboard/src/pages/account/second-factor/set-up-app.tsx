import { useSignal } from '@preact/signals';
import type { AnswerOf, endpoints } from '@tabletop-relay/contract';
import { useEffect } from 'preact/hooks';
import { Copy } from '../../../parts/copy.tsx';
import { Page, focusTitle } from '../../../parts/page.tsx';
import { PasswordForm } from '../../../parts/second-factor/password-form.tsx';
import { api } from '../../../request.ts';
import { navigate, nextPlace } from '../../../router.ts';
import { secondFactors } from '../../../store.ts';
import { AppCodeForm } from './app-code-form.tsx';
import { QrCode } from '../../../parts/qr/qr-code.tsx';

type SetUp = AnswerOf<(typeof endpoints)['beginTotp']>;

export function SetUpAppPage() {
  const begun = useSignal<SetUp | undefined>(undefined);
  useEffect(() => void secondFactors.reload(), []);
  const hasApp = secondFactors.data.value?.items.some(({ kind }) => kind === 'totp');
  return (
    <Page title="Set up an authenticator app" narrow>
      {begun.value ? (
        <Steps setUp={begun.value} startAgain={() => (begun.value = undefined)} />
      ) : (
        <>
          <p class="lead">
            An authenticator app on your phone shows a new code every 30 seconds. When you sign in, you type
            it after your password.
            {hasApp && ' The app that you use now stops working once the new one is set up.'}
          </p>
          <PasswordForm
            verb="Continue"
            act={async (proof) => {
              begun.value = await api.beginTotp(proof);
            }}
            cancel={() => navigate(nextPlace('/dashboard/account'))}
          />
        </>
      )}
    </Page>
  );
}

function Steps({ setUp, startAgain }: { setUp: SetUp; startAgain: () => void }) {
  const { secret, uri } = setUp;
  // The form that had the focus is gone.
  useEffect(focusTitle, []);
  return (
    <ol class="steps factor-steps">
      <li>
        <p>Open an authenticator app on your phone. If you have none, your phone’s store offers several.</p>
      </li>
      <li>
        <p>
          Add an account in the app and scan this picture. On this very phone,{' '}
          <a href={uri}>open it in the app</a> instead.
        </p>
        <QrCode text={uri} label="QR code for the authenticator app" />
        <p>Or type this key into the app:</p>
        <p class="id">
          <code>{secret.replaceAll(/.{4}(?=.)/g, '$& ')}</code>
          <Copy text={secret} what="key for the app" />
        </p>
      </li>
      <li>
        <AppCodeForm setup={setUp.setup} startAgain={startAgain} />
      </li>
    </ol>
  );
}
