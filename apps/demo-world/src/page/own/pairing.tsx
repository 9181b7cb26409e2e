import { useSignal } from '@preact/signals';
import type { ModuleStatus } from '@tabletop-relay/module-sdk';
import { State } from '../header.tsx';
import type { RelayLine } from './relay-line.ts';

interface Pairing {
  line: RelayLine;
  /** From the address bar: fills in the form. */
  given: { relay: string | null; code: string | null };
}

/** The band under the header: pair with a relay, or how the line to it stands. */
export function PairingBand({ line, given }: Pairing) {
  const status = line.status.value;
  return (
    <section class="pairing" aria-label="Relay">
      {status.state === 'unpaired' ? <PairForm line={line} given={given} /> : <Paired line={line} />}
      <p class="problem tone-bad" role="alert">
        {line.problem.value && `✕ ${line.problem.value}`}
      </p>
    </section>
  );
}

function PairForm({ line, given }: Pairing) {
  const relay = useSignal(given.relay ?? line.relayUrl.value ?? '');
  const code = useSignal(tidyCode(given.code ?? ''));
  const isPairing = useSignal(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    isPairing.value = true;
    await line.pair(relay.value.trim(), code.value);
    isPairing.value = false;
  };
  return (
    <form class="pair-form" onSubmit={(event) => void submit(event)}>
      <p>
        <strong>This world is yours and lives in this browser.</strong> Pair it with a relay to let programs
        call it: make a code in the relay’s dashboard and enter it here.
      </p>
      <label class="relay-address">
        Relay
        <input
          type="text"
          inputMode="url"
          autoComplete="url"
          spellcheck={false}
          required
          placeholder="wss://relay.example.com"
          value={relay}
          onInput={(event) => (relay.value = event.currentTarget.value)}
        />
      </label>
      <label class="code">
        Code
        <input
          type="text"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellcheck={false}
          required
          minLength={6}
          maxLength={7}
          placeholder="ABC DEF"
          title="Six letters and digits from the relay’s dashboard"
          value={spaced(code.value)}
          onInput={(event) => {
            code.value = tidyCode(event.currentTarget.value);
            event.currentTarget.value = spaced(code.value);
          }}
        />
      </label>
      <button class="primary" disabled={isPairing.value || code.value.length !== 6}>
        {isPairing.value ? 'Pairing…' : 'Pair'}
      </button>
    </form>
  );
}

function Paired({ line }: { line: RelayLine }) {
  const isAsking = useSignal(false);
  const unpair = async () => {
    isAsking.value = false;
    await line.unpair();
  };
  return (
    <div class="paired">
      <div role="status">
        <State {...wordsFor(line.status.value)} />
      </div>
      <code>{line.relayUrl}</code>
      {line.status.value.state === 'standby' && (
        <button onClick={() => void line.serve()}>Serve from here</button>
      )}
      {isAsking.value ? (
        <p class="asking">
          This browser forgets its token; pairing again takes a new code.
          <button onClick={() => void unpair()}>Unpair</button>
          <button class="quiet" onClick={() => (isAsking.value = false)}>
            Keep
          </button>
        </p>
      ) : (
        <button class="quiet" onClick={() => (isAsking.value = true)}>
          Unpair…
        </button>
      )}
    </div>
  );
}

function wordsFor(status: ModuleStatus): { tone: 'good' | 'warn' | 'bad'; word: string } {
  switch (status.state) {
    case 'connected':
      return {
        tone: 'good',
        word: 'Paired and connected. Your dashboard goes on in the other tab.',
      };
    case 'standby':
      return { tone: 'warn', word: 'Waits: another browser serves this world' };
    case 'connecting':
      return { tone: 'warn', word: 'Connecting…' };
    case 'waiting':
      return { tone: 'warn', word: `Not connected, trying again: ${status.reason}` };
    case 'closed':
      return { tone: 'bad', word: `Not connected: ${status.reason}` };
    default:
      return { tone: 'bad', word: 'Not paired' };
  }
}

/** People read codes out to each other, so spaces, dashes and lower case are accepted. */
function tidyCode(text: string): string {
  return text
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, 6);
}

const spaced = (code: string) => (code.length > 3 ? `${code.slice(0, 3)} ${code.slice(3)}` : code);
