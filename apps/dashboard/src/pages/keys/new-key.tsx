import { useSignal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
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
import { keys, worlds } from '../../store.ts';
import { useAction } from '../../use-action.ts';
import { FirstCall } from './first-call.tsx';
import { KeyLimits, bodyOf, missingIn } from './key-terms.tsx';
import type { KeyTerms } from './key-terms.tsx';
import { buildOf, builds } from './builds.ts';
import type { Build } from './builds.ts';
import { likeliest } from './first-calls.ts';
import { ScopeSentences } from './scope-sentences.tsx';
import { Form, FormProblem } from '../../parts/form/form.tsx';

export function NewKeyPage() {
  const world = new URLSearchParams(place.value.search).get('world');
  const name = useSignal('');
  const isAsked = useSignal(false);
  const made = useSignal<NewApiKey | undefined>(undefined);
  const build = useSignal<Build>(builds[0]!);
  const terms = useSignal<KeyTerms>({
    scopes: [...build.peek().scopes],
    clientIds: world ? [world] : null,
    actingUserIds: null,
    monthlyLimit: '',
    expiresAt: null,
  });
  const { run, isBusy, problem } = useAction(async () => {
    made.value = await api.createApiKey({ name: name.value, ...bodyOf(terms.value) });
    await keys.reload();
  });
  useWorldOnceKnown(terms);
  if (made.value) return <Made apiKey={made.value} build={build.value} />;
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
        <Cards
          legend="What do you build?"
          name="build"
          options={builds}
          chosen={build.value.name}
          choose={(chosen: Build) => {
            build.value = chosen;
            terms.value = { ...terms.value, scopes: [...chosen.scopes] };
          }}
        />
        {build.value.page ? (
          <OtherPage page={build.value.page} />
        ) : (
          <>
            <NameField value={name} hint="The program it is for, as you will know it again." />
            <Permissions terms={terms} />
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
          </>
        )}
      </Form>
    </Page>
  );
}

/** Bound to the world that came online last, as long as nobody has chosen: a program rarely needs more. */
function useWorldOnceKnown(terms: Signal<KeyTerms>): void {
  const isChosen = useRef(terms.peek().clientIds !== null);
  const best = likeliest(worlds.data.value ?? [])?.clientId;
  useEffect(() => {
    if (isChosen.current || best === undefined) return;
    isChosen.current = true;
    terms.value = { ...terms.peek(), clientIds: [best] };
  }, [best]);
}

function Permissions({ terms }: { terms: Signal<KeyTerms> }) {
  const { scopes, actingUserIds } = terms.value;
  const held = scopesFor(actingUserIds, scopes);
  const kind = buildOf(scopes)?.name ?? 'Your choice';
  return (
    <section class="sees">
      <h2>It may</h2>
      <ScopeSentences scopes={held} />
      <details class="permissions">
        <summary>
          {kind}: {held.length} {held.length === 1 ? 'permission' : 'permissions'}. Change
        </summary>
        <ScopePicker
          legend="What it may do"
          offered={scopesFor(actingUserIds, scopeNames)}
          chosen={scopes}
          onChange={(next) => (terms.value = { ...terms.value, scopes: next })}
        />
      </details>
    </section>
  );
}

/** The kinds whose keys are made elsewhere, with all that belongs to them. */
const OtherPage = ({ page: { href, says, label } }: { page: NonNullable<Build['page']> }) => (
  <section class="sees">
    <p>{says}</p>
    <div class="buttons">
      <a class="button primary" href={href}>
        {label}
      </a>
    </div>
  </section>
);

function Made({ apiKey, build }: { apiKey: NewApiKey; build: Build }) {
  return (
    <Page title={`Key for ${apiKey.name}`} narrow>
      <SecretOnce what="API key" value={apiKey.apiKey} onStored={() => navigate('/dashboard/keys')}>
        <FirstCall apiKey={apiKey} language={build.language} />
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
