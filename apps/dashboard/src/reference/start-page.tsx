import { Prose } from './prose.tsx';
import { SameCall } from '../pages/try-it/code/same-call.tsx';
import type { ApiDocument } from './document.ts';
import { exampleWorld } from './access.ts';
import { useTitle } from './use-title.ts';

/** How to begin, before any one call. */
export function StartPage({ document }: { document: ApiDocument }) {
  useTitle('API reference');
  const clientId = exampleWorld.value?.clientId ?? 'YOUR_WORLD';
  const call = {
    method: 'GET',
    path: `/world-info?clientId=${encodeURIComponent(clientId)}`,
    answers: 'json',
    credential: 'apiKey',
    sdk: { method: 'utility.worldInfo', clientId, parameters: {} },
  } as const;
  return (
    <main id="content" class="start">
      <h1 tabIndex={-1}>API reference</h1>
      <Prose text={document.info.description} />
      <SameCall title="A first call" call={call} apiKey="YOUR_KEY" />
      <section>
        <h2>Where to begin</h2>
        <ul class="points">
          <li>
            <a href="/guides/your-first-bot">Your first bot</a>: from nothing to a bot that rolls for a
            player, in forty lines.
          </li>
          <li>
            <a href="/guides/integrations">Integrations</a>: keys, the two ways to ask for one, what to do
            when a call fails.
          </li>
          <li>
            <a href="/guides/streams">Streams</a>: what happens in a world, as it happens.
          </li>
          <li>
            <a href="/errors">Errors</a>: every code, what it means, whether to repeat the call.
          </li>
        </ul>
        <p class="muted">
          Version {document.info.version}. For programs: <a href="/openapi.json">OpenAPI</a>,{' '}
          <a href="/asyncapi.json">AsyncAPI</a> of the module’s socket.
        </p>
      </section>
    </main>
  );
}
