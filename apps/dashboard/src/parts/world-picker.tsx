import { worldLabel, worlds } from '../store.ts';
import { ProblemNotice } from './problem.tsx';

interface WorldPickerProps {
  legend: string;
  /** Null: every world, those to come included. */
  chosen: readonly string[] | null;
  onChange: (chosen: string[] | null) => void;
}

/** Chosen worlds: all, or those that are ticked. */
export function WorldPicker({ legend, chosen, onChange }: WorldPickerProps) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      <label class="choice">
        <input type="radio" checked={chosen === null} onChange={() => onChange(null)} /> All my worlds, and
        those I pair later
      </label>
      <label class="choice">
        <input type="radio" checked={chosen !== null} onChange={() => onChange([])} /> Only these:
      </label>
      {chosen !== null && <WorldChecks chosen={chosen} onChange={onChange} />}
    </fieldset>
  );
}

export function WorldChecks({
  chosen,
  onChange,
  without,
}: {
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  without?: string;
}) {
  const known = worlds.data.value;
  if (!known) return <WorldsNotRead />;
  const offered = known.filter(({ clientId }) => clientId !== without);
  if (offered.length === 0) return <p class="hint indented">You have paired no world yet.</p>;
  return (
    <div class="indented">
      {offered.map((world) => (
        <label class="choice" key={world.clientId}>
          <input
            type="checkbox"
            checked={chosen.includes(world.clientId)}
            onChange={(event) =>
              onChange(
                event.currentTarget.checked
                  ? [...chosen, world.clientId]
                  : chosen.filter((id) => id !== world.clientId),
              )
            }
          />{' '}
          {worldLabel(world)}
        </label>
      ))}
    </div>
  );
}

/** Worlds that could not be read are not none. */
const WorldsNotRead = () => (
  <div class="indented">
    <ProblemNotice problem={worlds.problem.value} />
    {!worlds.problem.value && (
      <p class="hint" aria-busy="true">
        Reading your worlds…
      </p>
    )}
  </div>
);
