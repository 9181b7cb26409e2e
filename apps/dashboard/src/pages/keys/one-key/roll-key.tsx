import { useSignal } from '@preact/signals';
import type { ApiKey, NewApiKey } from '@tabletop-relay/contract';
import { ConfirmButton } from '../../../parts/confirm.tsx';
import { Page } from '../../../parts/page.tsx';
import { SecretOnce } from '../../../parts/secret-once.tsx';
import { api } from '../../../request.ts';
import { keys } from '../../../store.ts';
import { FirstCall } from '../first-call.tsx';

const ends = [
  [0, 'At once', 'Programs that still use it are refused within a second.'],
  [3_600, 'In an hour', 'Set the new value in your programs until then.'],
  [86_400, 'In a day', 'Activity says of each call whether it still came with the old value.'],
] as const;

/** Gives the key a new value, which `onRolled` shows. */
export function RollKey({
  apiKey: { id, name, oldValue, pause },
  isAsked,
  onRolled,
}: {
  apiKey: ApiKey;
  isAsked: boolean;
  onRolled: (rolled: NewApiKey) => void;
}) {
  const keepOldSeconds = useSignal<number>(0);
  const roll = async () => {
    const rolled = await api.rollApiKey({ id, keepOldSeconds: keepOldSeconds.value });
    onRolled(rolled);
    await keys.reload();
  };
  return (
    <ConfirmButton label="Roll" title={`Roll ${name}?`} action={roll} isAsked={isAsked}>
      <p>
        It gets a new value, shown once, and keeps its name, permissions and figures.
        {oldValue && ` The old value ${oldValue.hint} ends now.`}
        {pause && ' It is paused: the value that it has now ends at once.'}
      </p>
      <fieldset class="presets" hidden={pause !== null}>
        <legend>The value that it has now ends</legend>
        {ends.map(([seconds, word, what]) => (
          <label class="preset" key={seconds}>
            <input
              type="radio"
              name="ends"
              checked={keepOldSeconds.value === seconds}
              onChange={() => (keepOldSeconds.value = seconds)}
            />
            <span>
              <strong>{word}</strong>
              <small>{what}</small>
            </span>
          </label>
        ))}
      </fieldset>
    </ConfirmButton>
  );
}

/** The new value of a key, in place of its page until the person has stored it. */
export function RolledKey({ rolled, onStored }: { rolled: NewApiKey; onStored: () => void }) {
  return (
    <Page title={`New value for ${rolled.name}`} narrow>
      <SecretOnce what="API key" value={rolled.apiKey} onStored={onStored}>
        <FirstCall apiKey={rolled} />
      </SecretOnce>
    </Page>
  );
}
