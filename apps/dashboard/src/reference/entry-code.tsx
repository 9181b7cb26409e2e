import { announce } from '../parts/announcer.tsx';
import { Snippet } from '../parts/copy.tsx';
import { Field } from '../parts/form/field.tsx';
import { ProblemNotice } from '../parts/problem.tsx';
import { SameCall } from '../pages/try-it/code/same-call.tsx';
import { nameOf, worlds } from '../store.ts';
import { useAction } from '../use-action.ts';
import { chosenWorld, exampleKeys, exampleWorld } from './access.ts';
import { answerOf, credentialOf } from './document.ts';
import type { Entry, Schema } from './document.ts';
import { exampleCall } from './example-call.ts';

interface EntryCodeProps {
  entry: Entry;
  schemas: Readonly<Record<string, Schema>>;
}

const placeholders = { apiKey: 'YOUR_KEY', session: 'YOUR_SESSION', none: '' };

/** The call to paste, with the reader's own world and key where they are signed in, and what it answers. */
export function EntryCode({ entry, schemas }: EntryCodeProps) {
  const credential = credentialOf(entry);
  const clientId = exampleWorld.value?.clientId ?? 'YOUR_WORLD';
  const apiKey = (credential === 'apiKey' && exampleKeys.keyFor(clientId)) || placeholders[credential];
  const { example } = answerOf(entry);
  return (
    <div class="results">
      {credential === 'apiKey' && exampleWorld.value && <Mine clientId={clientId} entry={entry} />}
      <SameCall title="The call" call={exampleCall(entry, { clientId, schemas })} apiKey={apiKey} />
      {example !== undefined && (
        <section aria-label="An answer">
          <div class="section-head">
            <h2>An answer</h2>
          </div>
          <Snippet text={JSON.stringify(example, null, 2)} what="answer" />
        </section>
      )}
    </div>
  );
}

/** World in the examples, and a button that puts a key into them. */
function Mine({ clientId, entry }: { clientId: string; entry: Entry }) {
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
                {nameOf(world)}
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
        {entry['x-sdk-method'] && entry['x-kind'] && (
          <a
            class="button"
            href={`/dashboard/try?operation=${entry.operationId}&world=${encodeURIComponent(clientId)}`}
          >
            Try it
          </a>
        )}
      </div>
      <ProblemNotice problem={problem.value} />
    </section>
  );
}
