import { useSignal } from '@preact/signals';
import { RelayError } from '@tabletop-relay/sdk';
import { announce } from '../parts/announcer.tsx';
import { Snippet } from '../parts/copy.tsx';
import { ProblemNotice } from '../parts/problem.tsx';
import { SameCall } from '../pages/try-it/code/same-call.tsx';
import { useAction } from '../use-action.ts';
import type { ApiDocument } from './document.ts';
import { exampleKeys, exampleWorld } from './access.ts';
import { Mine } from './mine.tsx';
import { useTitle } from './use-title.ts';

/** How to begin, before any one call. */
export function StartPage({ document }: { document: ApiDocument }) {
  useTitle('API reference');
  return (
    <main id="content" class="start">
      <h1 tabIndex={-1}>API reference</h1>
      <p>
        Calls to virtual tabletops. A call goes to the world that it names, and the world’s answer is the
        response. What stands in a body here may come in the query too, and answers may gain fields.
      </p>
      <FirstCall />
      <section>
        <h2>Authentication</h2>
        <p>
          Send a key in the header <code>x-api-key</code>. A key does what its permissions allow, in the
          worlds that it was made for. <a href="/dashboard/keys/new">Create one</a>, or{' '}
          <a href="/guides/integrations#device-flow">have your program ask for it</a>.
        </p>
      </section>
      <section>
        <h2>Choosing the world</h2>
        <p>
          Put the world’s <code>clientId</code> into the query. A key for a single world needs none.{' '}
          <a href="/docs/listClients">GET /clients</a> lists the worlds that a key reaches, and which of them
          are online. <a href="/guides/integrations#choosing-the-world">More about worlds</a>
        </p>
      </section>
      <section>
        <h2>Errors</h2>
        <p>
          Every refusal is a problem document (<code>application/problem+json</code>). Decide by its{' '}
          <code>code</code>, and show its <code>detail</code> to people. <a href="/errors">All codes</a>
        </p>
      </section>
      <section>
        <h2>Limits</h2>
        <p>
          Each key has a number of calls per minute, and perhaps per month. The <code>ratelimit-*</code>{' '}
          headers of every answer say what is left. A 429 says in <code>retry-after</code> how many seconds to
          wait. <a href="/guides/integrations#limits">More about limits</a>
        </p>
      </section>
      <section>
        <h2>Repeating</h2>
        <p>
          Calls that only read can be repeated. Give any other call an <code>idempotency-key</code>: however
          often it is sent, the world carries it out once.{' '}
          <a href="/guides/integrations#repeat-without-fear">More about repeating</a>
        </p>
      </section>
      <section>
        <h2>Where to go next</h2>
        <ul class="points">
          <li>
            <a href="/guides/your-first-bot">Your first bot</a>: from nothing to a bot that rolls for a
            player, in forty lines.
          </li>
          <li>
            <a href="/guides/integrations">Integrations</a>: keys, worlds, files, failures, limits.
          </li>
          <li>
            <a href="/guides/streams">Streams</a>: what happens in a world, as it happens.
          </li>
        </ul>
        <p class="muted">
          Version {document.info.version}. For programs: <a href="/openapi.json">OpenAPI</a>,{' '}
          <a href="/asyncapi.json">AsyncAPI</a> of the sockets.
        </p>
      </section>
    </main>
  );
}

/** A call that changes nothing. Who is signed in runs it here, with a world and a key of their own. */
function FirstCall() {
  const clientId = exampleWorld.value?.clientId;
  const path = `/world-info?clientId=${encodeURIComponent(clientId ?? 'YOUR_WORLD')}`;
  const answer = useSignal('');
  const { run, isBusy, problem } = useAction(async () => {
    if (clientId === undefined) return;
    answer.value = await readAnswer(path, await exampleKeys.make(clientId));
    announce('The answer stands below the call.');
  });
  const call = {
    method: 'GET',
    path,
    answers: 'json',
    credential: 'apiKey',
    sdk: { method: 'utility.worldInfo', clientId: clientId ?? 'YOUR_WORLD', parameters: {} },
  } as const;
  return (
    <>
      {clientId !== undefined && (
        <Mine clientId={clientId}>
          <button type="button" class="primary" disabled={isBusy.value} onClick={() => void run()}>
            Run it
          </button>
        </Mine>
      )}
      <SameCall
        title="A first call"
        call={call}
        apiKey={(clientId !== undefined && exampleKeys.keyFor(clientId)) || 'YOUR_KEY'}
      />
      <ProblemNotice problem={problem.value} mayRepeat />
      {answer.value && (
        <section aria-label="The answer">
          <Snippet text={answer.value} what="answer" />
        </section>
      )}
    </>
  );
}

/** Whatever the relay answers is an answer, as a program would see it. */
async function readAnswer(path: string, apiKey: string): Promise<string> {
  try {
    const response = await fetch(path, { credentials: 'omit', headers: { 'x-api-key': apiKey } });
    return `HTTP ${response.status}\n${JSON.stringify(await response.json(), null, 2)}`;
  } catch (cause) {
    throw new RelayError({ code: 'connection_failed', detail: 'The call was not answered.', cause });
  }
}
