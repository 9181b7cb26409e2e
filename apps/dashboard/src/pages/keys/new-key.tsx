import { useSignal } from '@preact/signals';
import { scopeNames } from '@tabletop-relay/contract';
import type { NewApiKey } from '@tabletop-relay/contract';
import { scopesFor } from '../../parts/acting-users.tsx';
import { Cards } from '../../parts/form/cards.tsx';
import { NameField } from '../../parts/form/name-field.tsx';
import { Page } from '../../parts/page.tsx';
import { ScopePicker } from '../../parts/scope-picker.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { api } from '../../request.ts';
import { navigate, place } from '../../router.ts';
import { keys } from '../../store.ts';
import { useAction } from '../../use-action.ts';
import { FirstCall } from './first-call.tsx';
import { KeyLimits, bodyOf, missingIn } from './key-terms.tsx';
import type { KeyTerms } from './key-terms.tsx';
import { presetOf, presets } from './presets.ts';
import { Form, FormProblem } from '../../parts/form/form.tsx';

export function NewKeyPage() {
  const world = new URLSearchParams(place.value.search).get('world');
  const name = useSignal('');
  const isAsked = useSignal(false);
  const made = useSignal<NewApiKey | undefined>(undefined);
  const terms = useSignal<KeyTerms>({
    scopes: [...presets[1].scopes],
    clientIds: world ? [world] : null,
    actingUserIds: null,
    monthlyLimit: '',
    expiresAt: null,
  });
  const { run, isBusy, problem } = useAction(async () => {
    made.value = await api.createApiKey({ name: name.value, ...bodyOf(terms.value) });
    await keys.reload();
  });
  if (made.value) return <Made apiKey={made.value} />;
  const missing = missingIn(terms.value);
  const faults = isAsked.value ? missing : undefined;
  return (
    <Page title="Create a key">
      <Form
        class="sheet"
        problem={problem.value}
        send={() => {
          isAsked.value = true;
          if (!missing) void run();
        }}
      >
        <NameField value={name} hint="The program it is for, as you will know it again." />
        <Cards
          legend="Start from"
          name="preset"
          options={presets}
          chosen={presetOf(terms.value.scopes)}
          choose={({ scopes }) => (terms.value = { ...terms.value, scopes: [...scopes] })}
        />
        <ScopePicker
          legend="What it may do"
          offered={scopesFor(terms.value.actingUserIds, scopeNames)}
          chosen={terms.value.scopes}
          onChange={(scopes) => (terms.value = { ...terms.value, scopes })}
        />
        <KeyLimits terms={terms} />
        <FormProblem />
        <div class="buttons">
          <button class="primary" disabled={isBusy.value}>
            Create key
          </button>
          <a class="button" href="/dashboard/keys">
            Cancel
          </a>
          {missing && !faults && <span class="muted">{missing}</span>}
        </div>
        <p role="alert" class={faults ? 'notice bad' : undefined}>
          {faults}
        </p>
      </Form>
    </Page>
  );
}

function Made({ apiKey }: { apiKey: NewApiKey }) {
  return (
    <Page title={`Key for ${apiKey.name}`} narrow>
      <SecretOnce what="API key" value={apiKey.apiKey} onStored={() => navigate('/dashboard/keys')}>
        <FirstCall apiKey={apiKey} />
        <p>
          <a href="/guides/first-call" target="_blank">
            Your first call
          </a>{' '}
          shows how a program gets the SDK from this relay and calls with the key. It opens in another tab.
        </p>
      </SecretOnce>
    </Page>
  );
}
