import type { KnownClient, Pause } from '@tabletop-relay/contract';
import { Ago } from '../../parts/ago.tsx';
import { announce } from '../../parts/announcer.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { api } from '../../request.ts';
import { nameOf, worlds } from '../../store.ts';
import { useAction } from '../../use-action.ts';

const ofRelay = ({ pauses }: KnownClient) => pauses.find(({ setIn }) => setIn === 'relay');
const setByOthers = ({ by }: Pause) => by === 'administrator' || by === 'operator';

/** Stops programs, or lets them in again. What was set in the tabletop, or by an administrator, is lifted there. */
export function PauseButton({ world }: { world: KnownClient }) {
  const { clientId } = world;
  const pause = ofRelay(world);
  const { run, isBusy, problem } = useAction(async () => {
    if (pause) await api.resumeKnownClient({ clientId });
    else await api.pauseKnownClient({ clientId });
    await worlds.reload();
    announce(pause ? `The pause of ${nameOf(world)} is lifted.` : `${nameOf(world)} is paused.`);
  });
  if (pause && setByOthers(pause)) return null;
  const verb = pause ? 'Resume' : 'Pause';
  return (
    <>
      <button
        type="button"
        class="pause"
        aria-label={`${verb} ${nameOf(world)}`}
        disabled={isBusy.value}
        onClick={() => void run()}
      >
        {verb}
      </button>
      <ProblemNotice problem={problem.value} />
    </>
  );
}

/** Each pause of a world as a sentence. */
export function Pauses({ world }: { world: KnownClient }) {
  return world.pauses.map((pause) => (
    <p class="notice warn" key={pause.setIn}>
      <strong>
        Paused{' '}
        {pause.setIn === 'tabletop' ? 'in the tabletop' : setByOthers(pause) ? 'by an administrator' : 'here'}
        {pause.userName && ` by ${pause.userName}`} <Ago at={pause.since} />.
      </strong>{' '}
      Programs are refused, whatever their key; “Try it” still reaches the world, if you say so.{' '}
      {pause.setIn === 'tabletop' && 'It is lifted in the tabletop.'}
      {setByOthers(pause) && 'Ask them to lift it.'}
    </p>
  ));
}
