import { Snippet } from '../parts/copy.tsx';
import { SameCall } from '../pages/try-it/code/same-call.tsx';
import { exampleKeys, exampleWorld } from './access.ts';
import { answerOf, credentialOf } from './document.ts';
import type { Entry, Schema } from './document.ts';
import { exampleCall } from './example-call.ts';
import { Mine } from './mine.tsx';

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
      {credential === 'apiKey' && exampleWorld.value && (
        <Mine clientId={clientId}>
          {entry['x-sdk-method'] && entry['x-kind'] && (
            <a
              class="button"
              href={`/dashboard/try?operation=${entry.operationId}&world=${encodeURIComponent(clientId)}`}
            >
              Try it
            </a>
          )}
        </Mine>
      )}
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
