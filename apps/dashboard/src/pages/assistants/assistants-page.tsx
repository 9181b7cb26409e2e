import { useSignal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { assistantPresets } from '@tabletop-relay/contract';
import type { NewApiKey } from '@tabletop-relay/contract';
import { Snippet } from '../../parts/copy.tsx';
import { Cards } from '../../parts/form/cards.tsx';
import { Form, FormProblem } from '../../parts/form/form.tsx';
import { Page } from '../../parts/page.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { api } from '../../request.ts';
import { navigate } from '../../router.ts';
import { keys } from '../../store.ts';
import { useAction } from '../../use-action.ts';
import { bodyOf, missingIn } from '../keys/key-terms.tsx';
import type { KeyTerms } from '../keys/key-terms.tsx';
import { assistantAddress, assistantClients } from './client-lines.ts';
import type { AssistantClient } from './client-lines.ts';
import { PresetTerms } from './preset-terms.tsx';

type Preset = (typeof assistantPresets)[number];

/** Connects an assistant: what it may do, a key made for it, and the lines that its program needs. */
export function AssistantsPage() {
  const client = useSignal<AssistantClient>(assistantClients[0]!);
  const preset = useSignal<Preset>(assistantPresets[0]);
  const terms = useSignal<KeyTerms>({
    scopes: [...assistantPresets[0].scopes],
    clientIds: null,
    actingUserIds: null,
    monthlyLimit: '',
    expiresAt: null,
  });
  const made = useSignal<NewApiKey | undefined>(undefined);
  const { run, isBusy, problem } = useAction(async () => {
    const name = `${client.value.name}: ${preset.value.name}`;
    made.value = await api.createApiKey({ name, ...bodyOf(terms.value) });
    await keys.reload();
  });
  if (made.value) return <Connected apiKey={made.value} client={client} preset={preset.value} />;
  const missing = missingIn(terms.value);
  return (
    <Page title="Connect an assistant">
      <p>
        An assistant such as Claude or Copilot can look things up in your worlds, roll, run an encounter or
        prepare a scene. It calls this relay with a key of its own, which you can pause or revoke.{' '}
        <a href="/guides/assistants" target="_blank">
          How it works
        </a>
        .
      </p>
      <Form
        class="sheet"
        problem={problem.value}
        send={() => {
          if (!missing) void run();
        }}
      >
        <Cards
          legend="Which program"
          name="client"
          options={assistantClients}
          chosen={client.value.name}
          choose={(chosen: AssistantClient) => (client.value = chosen)}
        />
        <OtherPrograms />
        <PresetTerms options={assistantPresets} preset={preset} terms={terms} />
        <FormProblem />
        <div class="buttons">
          <button class="primary" disabled={isBusy.value || missing !== undefined}>
            Create a key for it
          </button>
          {missing && <span class="muted">{missing}</span>}
        </div>
      </Form>
    </Page>
  );
}

function OtherPrograms() {
  return (
    <p class="hint">
      Claude in the browser or on a phone, and ChatGPT, take no key: give them the address{' '}
      <code>{assistantAddress(location.origin, '')}</code> as a connector, and they lead you here to sign them
      in. Any other program that speaks the Model Context Protocol over HTTP takes the address and one of the
      headers <code>Authorization: Bearer</code> or <code>x-api-key</code>.
    </p>
  );
}

interface ConnectedProps {
  apiKey: NewApiKey;
  client: ReadonlySignal<AssistantClient>;
  preset: Preset;
}

function Connected({ apiKey, client, preset }: ConnectedProps) {
  const url = assistantAddress(location.origin, preset.query);
  const { name, place, lines } = client.value;
  return (
    <Page title={`Connect ${name}`} narrow>
      <SecretOnce what="API key" value={apiKey.apiKey} onStored={() => navigate('/dashboard/keys')}>
        <h2>Lines for {name}</h2>
        <p>{place}</p>
        <Snippet text={lines(url, apiKey.apiKey)} what="lines" />
        <p>
          Then ask it: “Which worlds do you see?” You find its calls under{' '}
          <a href="/dashboard/activity">Activity</a>.
        </p>
      </SecretOnce>
    </Page>
  );
}
