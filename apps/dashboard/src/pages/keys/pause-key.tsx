import type { ApiKey, Pause } from '@tabletop-relay/contract';
import { useEffect, useRef } from 'preact/hooks';
import { Ago } from '../../parts/ago.tsx';
import { announce } from '../../parts/announcer.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { api } from '../../request.ts';
import { keys } from '../../store.ts';
import { useAction } from '../../use-action.ts';

const setByOthers = ({ by }: Pause) => by === 'administrator' || by === 'operator';

interface PauseKeyProps {
  apiKey: Pick<ApiKey, 'id' | 'name' | 'pause'>;
  /** Text after the verb on the button. Without it the button’s accessible name has the key’s name. */
  what?: string;
  /** Whether the button has the focus as soon as it is there. An address by itself pauses nothing. */
  isAsked?: boolean;
}

/** Stops the programs of a key for a while, or lets them call again. A pause of an administrator is lifted by them. */
export function PauseKey({ apiKey: { id, name, pause }, what = '', isAsked = false }: PauseKeyProps) {
  const button = useRef<HTMLButtonElement>(null);
  const { run, isBusy, problem } = useAction(async () => {
    if (pause) await api.resumeApiKey({ id });
    else await api.pauseApiKey({ id });
    await keys.reload();
    announce(pause ? `${name} may call again.` : `${name} is paused.`);
  });
  useEffect(() => {
    if (isAsked) button.current?.focus();
  }, []);
  if (pause && setByOthers(pause)) return null;
  const verb = pause ? 'Resume' : 'Pause';
  return (
    <>
      <button
        type="button"
        ref={button}
        aria-label={what ? undefined : `${verb} ${name}`}
        disabled={isBusy.value}
        onClick={() => void run()}
      >
        {verb}
        {what}
      </button>
      {problem.value && <ProblemNotice problem={problem.value} />}
    </>
  );
}

/** Since when a key is paused, and who lifts it. */
export function PausedKey({ pause }: { pause: Pause }) {
  return (
    <p class="notice warn">
      <strong>
        Paused{setByOthers(pause) ? ' by an administrator' : ''} <Ago at={pause.since} />.
      </strong>{' '}
      Programs that use it are refused, and its event streams are silent until it is resumed.
      {setByOthers(pause) && ' Ask the administrator to lift it.'}
    </p>
  );
}
