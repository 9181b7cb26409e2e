import { useSignal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { monsterChoices, sizes, usualLook, writeLink } from '../../overlay/overlay-link.ts';
import type { MonsterHealth, OverlayLook } from '../../overlay/overlay-link.ts';
import { Copy } from '../../parts/copy.tsx';
import { Field } from '../../parts/form/field.tsx';
import { Form, FormProblem } from '../../parts/form/form.tsx';
import { Page, focusTitle } from '../../parts/page.tsx';
import { useKeepOnPage } from '../../parts/secret-once.tsx';
import { WorldSelect } from '../../parts/world-select.tsx';
import { navigate, place } from '../../router.ts';
import { findWorld, keys, nameOf, worlds } from '../../store.ts';
import { useAction } from '../../use-action.ts';
import { useWorldUsers } from '../../world-users.ts';
import { likeliest } from '../keys/first-calls.ts';
import { makeOverlayKey, viewerAmong } from './overlay-key.ts';
import { Preview } from './preview.tsx';

/** What is being built. The user is undefined until somebody chooses; empty: nobody. */
interface Draft extends OverlayLook {
  clientId: string | undefined;
  userId: string | undefined;
}

/** Builds a stream overlay: what it shows, how it looks on live data, and its address with a key of its own. */
export function OverlayPage() {
  const draft = useSignal<Draft>({
    ...usualLook,
    clientId: new URLSearchParams(place.peek().search).get('world') ?? undefined,
    userId: undefined,
  });
  const made = useSignal<string | undefined>(undefined);
  const { clientId: chosen, ...look } = draft.value;
  const clientId = chosen ?? likeliest(worlds.data.value ?? [])?.clientId;
  const users = useWorldUsers(clientId ?? '');
  const viewer = look.userId ?? (Array.isArray(users) ? viewerAmong(users)?.id : undefined);
  const userId = viewer || undefined;
  const { run, isBusy, problem } = useAction(async () => {
    if (clientId === undefined) return;
    made.value = await makeOverlayKey({ clientId, userId, look });
    await keys.reload();
  });
  if (worlds.data.value?.length === 0) return <NoWorld />;
  if (made.value !== undefined && clientId !== undefined) {
    const link = { ...look, key: made.value, client: clientId, turnsOnly: userId === undefined };
    return <Made address={writeLink(location.origin, link)} size={look.size} clientId={clientId} />;
  }
  return (
    <Page title="Build a stream overlay">
      <div class="try">
        <Form class="sheet" problem={problem.value} send={() => void run()}>
          <WorldField draft={draft} clientId={clientId} />
          <ViewerField draft={draft} users={users} userId={userId} />
          <Shown draft={draft} isTurnsOnly={userId === undefined} />
          <LookFields draft={draft} />
          <FormProblem />
          <div class="buttons">
            <button class="primary" disabled={isBusy.value || clientId === undefined || users === undefined}>
              Make its address
            </button>
          </div>
        </Form>
        <div class="results">
          {clientId !== undefined && users !== undefined && (
            <Preview clientId={clientId} userId={userId} look={look} key={`${clientId} ${userId}`} />
          )}
        </div>
      </div>
    </Page>
  );
}

function WorldField({ draft, clientId }: { draft: Signal<Draft>; clientId: string | undefined }) {
  return (
    <Field label="World">
      {(attributes) => (
        <WorldSelect
          attributes={attributes}
          value={clientId}
          onChange={(chosen) => (draft.value = { ...draft.peek(), clientId: chosen, userId: undefined })}
        />
      )}
    </Field>
  );
}

interface ViewerFieldProps {
  draft: Signal<Draft>;
  users: ReturnType<typeof useWorldUsers>;
  userId: string | undefined;
}

/** By whose eyes viewers see. */
function ViewerField({ draft, users, userId }: ViewerFieldProps) {
  const players = Array.isArray(users) ? users.filter(({ isGM }) => !isGM) : [];
  const hint =
    users === 'away'
      ? 'The world is offline, so its users are not known: the overlay can show turns alone. Open the world for more.'
      : 'Its key acts as this user of the world, and as nobody else. Make a user “Stream” for it that sees the characters.';
  return (
    <Field label="Viewers see what this user sees" hint={users === undefined ? 'Asking the world…' : hint}>
      {(attributes) => (
        <select
          {...attributes}
          disabled={users === undefined}
          value={userId ?? ''}
          onChange={(event) => (draft.value = { ...draft.peek(), userId: event.currentTarget.value })}
        >
          {players.map(({ id, name }) => (
            <option value={id} key={id}>
              {name}
            </option>
          ))}
          <option value="">Nobody: show turns alone</option>
        </select>
      )}
    </Field>
  );
}

const monsterWords: Readonly<Record<MonsterHealth, string>> = {
  words: 'In words: Unhurt, Hurt, Bloodied',
  numbers: 'In numbers',
  nothing: 'Not at all',
};

function Shown({ draft, isTurnsOnly }: { draft: Signal<Draft>; isTurnsOnly: boolean }) {
  const { showsHealth, monsters } = draft.value;
  const change = (changes: Partial<Draft>) => (draft.value = { ...draft.peek(), ...changes });
  const tick = (name: 'showsHealth' | 'showsRolls', words: string) => (
    <label class="choice">
      <input
        type="checkbox"
        checked={draft.value[name] && !isTurnsOnly}
        disabled={isTurnsOnly}
        onChange={(event) => change({ [name]: event.currentTarget.checked })}
      />{' '}
      {words}
    </label>
  );
  return (
    <fieldset>
      <legend>Shown</legend>
      <label class="choice">
        <input type="checkbox" checked disabled /> Who fights, and whose turn it is
      </label>
      {tick('showsHealth', 'Hit points')}
      {showsHealth && !isTurnsOnly && (
        <div class="indented">
          <Field label="Those of monsters">
            {(attributes) => (
              <select
                {...attributes}
                value={monsters}
                onChange={(event) => change({ monsters: event.currentTarget.value as MonsterHealth })}
              >
                {monsterChoices.map((choice) => (
                  <option value={choice} key={choice}>
                    {monsterWords[choice]}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
      )}
      {tick('showsRolls', 'The last roll that everybody sees')}
    </fieldset>
  );
}

function LookFields({ draft }: { draft: Signal<Draft> }) {
  const { size, hasPlates } = draft.value;
  return (
    <div class="pair-of-fields">
      <Field label="Size of text">
        {(attributes) => (
          <select
            {...attributes}
            value={String(size)}
            onChange={(event) => {
              const next = sizes.find((percent) => String(percent) === event.currentTarget.value);
              if (next) draft.value = { ...draft.peek(), size: next };
            }}
          >
            {sizes.map((percent) => (
              <option value={String(percent)} key={percent}>
                {percent} %
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Behind the text">
        {(attributes) => (
          <select
            {...attributes}
            value={hasPlates ? 'plates' : 'none'}
            onChange={(event) =>
              (draft.value = { ...draft.peek(), hasPlates: event.currentTarget.value === 'plates' })
            }
          >
            <option value="plates">A dark plate</option>
            <option value="none">Nothing but the picture</option>
          </select>
        )}
      </Field>
    </div>
  );
}

interface MadeProps {
  address: string;
  size: OverlayLook['size'];
  clientId: string;
}

function Made({ address, size, clientId }: MadeProps) {
  useKeepOnPage('the address of the overlay');
  useLayoutEffect(focusTitle, []);
  const world = findWorld(clientId);
  return (
    <Page title={`Overlay of ${world ? nameOf(world) : 'your world'}`} narrow>
      <section class="secret" aria-label="Address of the overlay">
        <p class="notice warn">
          <strong>Who sees this address has it.</strong> It holds a key that reads this world as its viewers
          see it, and changes nothing. Keep it off the stream; revoke the key under Keys if somebody saw it.
        </p>
        <div class="secret-value">
          <code>{address}</code>
          <Copy text={address} what="address for OBS" label="Copy for OBS" />
        </div>
        <ol class="steps">
          <li>In OBS, under Sources, add a Browser.</li>
          <li>
            Paste the address as its URL. Width {Math.round(4 * size)}, height {Math.round(8 * size)}.
          </li>
          <li>Leave “Custom CSS” as it is: the ground is transparent by itself.</li>
        </ol>
        <p>
          This address is shown once. It works for as long as its key does, and needs nobody to be signed in.
        </p>
        <button type="button" class="primary" onClick={() => navigate('/dashboard/keys')}>
          I have stored it
        </button>
      </section>
    </Page>
  );
}

const NoWorld = () => (
  <Page title="Build a stream overlay">
    <section class="empty">
      <h2>No world to show yet</h2>
      <p>Pair one first; then viewers can follow its fights.</p>
      <a class="button primary" href="/dashboard/pair">
        Pair a world
      </a>
    </section>
  </Page>
);
