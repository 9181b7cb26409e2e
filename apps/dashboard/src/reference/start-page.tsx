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
        <h2>In short</h2>
        <dl class="in-short">
          <dt>Authentication</dt>
          <dd>
            A key of the dashboard in the header <code>x-api-key</code>. It may do what it was given, in the
            worlds it was given. <a href="/guides/integrations#a-key">More</a>
          </dd>
          <dt>Choosing the world</dt>
          <dd>
            <code>clientId</code> in the query. A key for one world needs none; <code>GET /clients</code>{' '}
            lists those that it may see. <a href="/guides/integrations#choosing-the-world">More</a>
          </dd>
          <dt>Errors</dt>
          <dd>
            Problem documents. Decide by <code>code</code>, show <code>detail</code>.{' '}
            <a href="/errors">All of them</a>
          </dd>
          <dt>Limits</dt>
          <dd>
            Calls a minute by key, told in <code>ratelimit-*</code> headers; 429 says in{' '}
            <code>retry-after</code> when to go on. <a href="/errors/rate_limited">More</a>
          </dd>
          <dt>Repeating</dt>
          <dd>
            What reads may be repeated. A command under one <code>idempotency-key</code> is sent once.{' '}
            <a href="/guides/integrations#repeat-without-fear">More</a>
          </dd>
        </dl>
      </section>
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
