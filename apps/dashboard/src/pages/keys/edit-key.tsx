import { useSignal } from '@preact/signals';
import { scopeNames, signInScopes } from '@tabletop-relay/contract';
import type { ApiKey } from '@tabletop-relay/contract';
import { useEffect, useRef } from 'preact/hooks';
import { scopesFor } from '../../parts/acting-users.tsx';
import { announce } from '../../parts/announcer.tsx';
import { NameField } from '../../parts/form/name-field.tsx';
import { NotRead } from '../../parts/not-read.tsx';
import { Page } from '../../parts/page.tsx';
import { ScopePicker } from '../../parts/scope-picker.tsx';
import { api } from '../../request.ts';
import { navigate } from '../../router.ts';
import { keys } from '../../store.ts';
import { useAction } from '../../use-action.ts';
import { NoSuchKey } from './no-such-key.tsx';
import { KeyLimits, bodyOf, missingIn, termsOf } from './key-terms.tsx';
import { Form, FormProblem } from '../../parts/form/form.tsx';

export function EditKeyPage({ id }: { id: string }) {
  useEffect(() => void keys.reload(), []);
  const key = keys.data.value?.find((one) => one.id === id);
  if (key) return <EditKey apiKey={key} />;
  if (!keys.data.value) return <NotRead title="Edit key" problem={keys.problem.value} />;
  return <NoSuchKey />;
}

function EditKey({ apiKey }: { apiKey: ApiKey }) {
  // The list is read again meanwhile: what was changed elsewhere is no change of this form.
  const before = useRef(apiKey).current;
  const name = useSignal(apiKey.name);
  const terms = useSignal(termsOf(apiKey));
  const { run, isBusy, problem } = useAction(async () => {
    // Only what was changed: an expiry that is past by now may stay.
    const wanted = { name: name.value, ...bodyOf(terms.value) };
    const changes = Object.fromEntries(
      Object.entries(wanted).filter(
        ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof ApiKey]),
      ),
    );
    if (Object.keys(changes).length > 0) await api.updateApiKey({ id: apiKey.id, ...changes });
    await keys.reload();
    announce('Key saved.');
    navigate(`/dashboard/keys/${apiKey.id}`);
  });
  const missing = missingIn(terms.value);
  return (
    <Page title={`Edit ${apiKey.name}`}>
      <Form
        class="sheet"
        problem={problem.value}
        send={() => {
          if (!missing) void run();
        }}
      >
        <NameField value={name} />
        <ScopePicker
          legend="What it may do"
          offered={scopesFor(terms.value.actingUserIds, apiKey.signedIn ? signInScopes : scopeNames)}
          chosen={terms.value.scopes}
          onChange={(scopes) => (terms.value = { ...terms.value, scopes })}
        />
        <KeyLimits terms={terms} />
        <FormProblem />
        <div class="buttons">
          <button class="primary" disabled={isBusy.value || missing !== undefined}>
            Save key
          </button>
          <a class="button" href={`/dashboard/keys/${apiKey.id}`}>
            Cancel
          </a>
          {missing && <span class="muted">{missing}</span>}
        </div>
      </Form>
    </Page>
  );
}
