import { useSignal } from '@preact/signals';
import { encryptPassword } from '@tabletop-relay/sdk';
import { announce } from '../../parts/announcer.tsx';
import { Field } from '../../parts/form/field.tsx';
import { Page } from '../../parts/page.tsx';
import { api } from '../../request.ts';
import { navigate, place } from '../../router.ts';
import { headlessSessions } from '../../store.ts';
import { useAction } from '../../use-action.ts';
import { PasswordInput } from '../../parts/form/password-input.tsx';
import { Form, FormProblem } from '../../parts/form/form.tsx';

/** Browsers encrypt only in pages that nobody on the way could have changed. */
const canEncrypt = () => (crypto as Partial<Crypto>).subtle !== undefined;

const asLogin = { type: 'text', autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const;

export function NewSessionPage() {
  const { run, isBusy, problem } = useAction(start);
  return (
    <Page title="Host a world" narrow>
      <Form class="sheet" problem={problem.value} send={(form) => void run(new FormData(form))}>
        <LoginFields />
        <PasswordField />
        <ConsoleChoice />
        {!canEncrypt() && (
          <p class="notice bad">
            <strong>This page came over plain http.</strong> Browsers encrypt only in pages over https: ask
            the operator of this relay for an https address.
          </p>
        )}
        <FormProblem />
        <div class="buttons">
          <button class="primary" disabled={isBusy.value || !canEncrypt()}>
            Host world
          </button>
          <a class="button" href="/dashboard/sessions">
            Cancel
          </a>
        </div>
      </Form>
    </Page>
  );
}

/** Where to log in, and as whom. */
function LoginFields() {
  const worldName = new URLSearchParams(place.value.search).get('world') ?? '';
  return (
    <>
      <Field label="Address of the tabletop" hint="As you open it in your browser." name="tabletopUrl">
        {(attributes) => (
          <input
            {...attributes}
            {...asLogin}
            name="tabletopUrl"
            type="url"
            required
            maxLength={2000}
            placeholder="https://tabletop.example"
          />
        )}
      </Field>
      <Field label="World" hint="Its id or title. Empty: the one that runs there." name="worldName">
        {(attributes) => (
          <input {...attributes} {...asLogin} name="worldName" maxLength={200} defaultValue={worldName} />
        )}
      </Field>
      <Field
        label="User"
        hint="Choose a game master if programs need to do everything that their keys allow. Anyone playing as this user elsewhere may be logged out."
        name="username"
      >
        {(attributes) => <input {...attributes} {...asLogin} name="username" required maxLength={200} />}
      </Field>
    </>
  );
}

function PasswordField() {
  return (
    <Field
      label="Password of the user"
      hint="Encrypted in this browser, used once to log in, and kept nowhere. Empty for a user without one."
    >
      {(attributes) => (
        // No password of this relay's: a browser that filled one in would hand it to the tabletop.
        <PasswordInput {...attributes} name="password" autoComplete="new-password" />
      )}
    </Field>
  );
}

function ConsoleChoice() {
  const isKept = useSignal(false);
  return (
    <div>
      <label class="choice">
        <input
          type="checkbox"
          name="keepsConsole"
          checked={isKept}
          onChange={(event) => (isKept.value = event.currentTarget.checked)}
        />
        Keep what the page writes to its console
      </label>
      <p class="hint">The last 200 lines, for a module that misbehaves.</p>
    </div>
  );
}

/** Encrypts the password with a key that was made for this start, and begins it. The list tells how far it comes. */
async function start(form: FormData): Promise<void> {
  const shaken = await api.beginHeadlessSession({
    tabletopUrl: textOf(form, 'tabletopUrl'),
    username: textOf(form, 'username'),
    worldName: textOf(form, 'worldName'),
  });
  await api.startHeadlessSession({
    handshakeToken: shaken.token,
    encryptedPassword: await encryptPassword(shaken, textOf(form, 'password')),
    ...(form.has('keepsConsole') && { captureBrowserConsole: 'debug' }),
  });
  await headlessSessions.reload();
  announce('The world is being opened.');
  navigate('/dashboard/sessions');
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
