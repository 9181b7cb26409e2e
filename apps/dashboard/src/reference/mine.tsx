import type { ComponentChildren } from 'preact';
import { announce } from '../parts/announcer.tsx';
import { Field } from '../parts/form/field.tsx';
import { ProblemNotice } from '../parts/problem.tsx';
import { worldLabel, worlds } from '../store.ts';
import { useAction } from '../use-action.ts';
import { chosenWorld, exampleKeys } from './access.ts';

/** World in the examples, a button that puts a key into them, and what else can be done with both. */
export function Mine({ clientId, children }: { clientId: string; children: ComponentChildren }) {
  const { run, isBusy, problem } = useAction(async () => {
    await exampleKeys.make(clientId);
    announce('The key is in the examples.');
  });
  return (
    <section class="mine" aria-label="Your world and key">
      <Field label="Your world">
        {(attributes) => (
          <select
            {...attributes}
            value={clientId}
            onChange={(event) => (chosenWorld.value = event.currentTarget.value)}
          >
            {worlds.data.value?.map((world) => (
              <option value={world.clientId} key={world.clientId}>
                {worldLabel(world)}
                {world.isOnline ? '' : ' (offline)'}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div class="buttons">
        {exampleKeys.keyFor(clientId) ? (
          <p class="hint">The key below is yours, for this world. It ends after an hour.</p>
        ) : (
          <button type="button" disabled={isBusy.value} onClick={() => void run()}>
            Fill in a key for an hour
          </button>
        )}
        {children}
      </div>
      <ProblemNotice problem={problem.value} />
    </section>
  );
}
