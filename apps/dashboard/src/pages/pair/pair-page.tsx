import { useComputed, useSignal } from '@preact/signals';
import { BrowserTermsFields, noTerms } from '../../parts/browser-terms.tsx';
import { Copy } from '../../parts/copy.tsx';
import { Page } from '../../parts/page.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { place } from '../../router.ts';
import { findWorld, nameOf } from '../../store.ts';
import { useAction } from '../../use-action.ts';
import { DemoWorldButton, useHasDemoWorld } from './demo-world-button.tsx';
import { relayAddress } from './relay-address.ts';
import { codeFor, dropCode, makeCode } from './codes.ts';
import { CodeCard } from './code-card.tsx';
import { PairedNotice } from './paired-notice.tsx';
import { usePairedBrowser } from './use-paired-browser.ts';

/** A code to pair a world or, with `?world=`, one more browser of it. */
export function PairPage() {
  const clientId = new URLSearchParams(place.value.search).get('world') ?? undefined;
  return <Pairing clientId={clientId} key={clientId} />;
}

function Pairing({ clientId }: { clientId: string | undefined }) {
  const terms = useSignal(noTerms);
  const code = useComputed(() => codeFor(clientId));
  const { run, isBusy, problem } = useAction(() => makeCode(clientId, terms.value));
  const paired = usePairedBrowser(code, dropCode);
  const world = clientId === undefined ? undefined : findWorld(clientId);
  if (paired.value) {
    return (
      <Page title={paired.value.isConnected ? 'Connected' : 'Paired'} narrow>
        <PairedNotice browser={paired.value} />
      </Page>
    );
  }
  return (
    <Page
      title={
        clientId === undefined ? 'Pair a world' : `Pair a browser with ${world ? nameOf(world) : 'a world'}`
      }
    >
      <div class="pair">
        <CodeCard code={code.value} make={run} isBusy={isBusy.value} />
        <Steps />
      </div>
      <ProblemNotice problem={problem.value} />
      {clientId === undefined && (
        <p class="hint">
          The code pairs a new world. If this tabletop was paired with one of your worlds before, at the same
          address, you get that world back.
        </p>
      )}
      {clientId === undefined && <DemoWorld />}
      <details class="options">
        <summary>Options: where from, and other worlds</summary>
        <p class="hint">
          By default the browser may connect from anywhere, and its module acts on its own world alone.
        </p>
        <BrowserTermsFields terms={terms} clientId={clientId} />
        <button type="button" disabled={isBusy.value} onClick={() => void run()}>
          Make a code with these options
        </button>
      </details>
    </Page>
  );
}

function DemoWorld() {
  if (!useHasDemoWorld()) return null;
  return (
    <section class="demo">
      <p>No tabletop at hand? The demo world runs in another tab of this browser.</p>
      <DemoWorldButton />
    </section>
  );
}

function Steps() {
  return (
    <ol class="steps">
      <li>
        Open the world in your tabletop as GM, with the relay’s module switched on. For Foundry this relay has
        one: <a href="/dashboard/worlds">Install in Foundry</a>. It needs no code and no address.
      </li>
      <li>
        In the module’s settings put this relay’s address into “WebSocket Relay URL” (in some “Relay URL”),
        and save:
        <span class="id">
          <code>{relayAddress}</code>
          <Copy text={relayAddress} what="the relay’s address" />
        </span>
      </li>
      <li>
        Press the module’s button to pair. If it asks for a code, type this one; if it opens a page of this
        relay, approve there. This page changes by itself when the world connects.
      </li>
    </ol>
  );
}
