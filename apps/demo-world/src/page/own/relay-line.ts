import type { ReadonlySignal } from '@preact/signals';
import { signal } from '@preact/signals';
import type { ModuleStatus, ModuleStorage, TabletopModule } from '@tabletop-relay/module-sdk';
import { PairingError, RelayError } from '@tabletop-relay/module-sdk';

/** The line of a world in this browser to its relay, as the page shows and steers it. */
export interface RelayLine {
  status: ReadonlySignal<ModuleStatus>;
  /** The address paired with; null before the first pairing. */
  relayUrl: ReadonlySignal<string | null>;
  /** Why the last attempt failed, in words to show; null after a success. */
  problem: ReadonlySignal<string | null>;
  pair(relayUrl: string, code: string): Promise<void>;
  unpair(): Promise<void>;
  /** Lets this browser, which waits, serve in the place of the one that does. */
  serve(): Promise<void>;
}

/** Takes up a stored pairing at once, so that a reload reconnects by itself. */
export async function openRelayLine(
  storage: ModuleStorage,
  createModule: (onStatus: (status: ModuleStatus) => void) => TabletopModule,
): Promise<RelayLine> {
  const stored = await storage.load();
  const status = signal<ModuleStatus>({ state: 'unpaired' });
  const relayUrl = signal(stored.pairedRelayUrl ?? null);
  const problem = signal<string | null>(null);
  const tabletopModule = createModule((next) => {
    status.value = next;
    problem.value = null;
  });
  // The status tells the outcome, so the rejection adds nothing.
  const connect = () => void tabletopModule.connect().catch(() => undefined);
  if (stored.connectionToken) connect();

  return {
    status,
    relayUrl,
    problem,
    async pair(url, code) {
      try {
        relayUrl.value = (await tabletopModule.pair({ relayUrl: url, code })).relayUrl;
        problem.value = null;
        connect();
      } catch (error) {
        problem.value = explain(error);
      }
    },
    async unpair() {
      const isConfirmed = await tabletopModule.unpair();
      problem.value = isConfirmed
        ? null
        : 'This browser has forgotten its token, but the relay did not confirm. Revoke the token in the dashboard.';
    },
    async serve() {
      problem.value = null;
      await tabletopModule.serve().catch((error: unknown) => {
        const isFresh = error instanceof RelayError && error.code === 'rate_limited';
        const why = isFresh ? 'it has only just begun to serve' : 'the relay cannot change that now';
        problem.value = `The other browser goes on: ${why}. Try again in a few seconds.`;
      });
    },
  };
}

const explanations: Record<string, string> = {
  insecure_url:
    'That address is not encrypted: this browser’s token would cross the network for anyone to read. Use wss:// or https://. Plain ws:// is fine only for a relay on this machine.',
  invalid_url: 'That is not an address of a relay. It looks like wss://relay.example.com.',
  not_found: 'The relay knows no such code. Check the six characters, or make a new one in its dashboard.',
  code_used: 'That code was used already. Make a new one in the relay’s dashboard.',
  code_expired: 'That code is older than ten minutes. Make a new one in the relay’s dashboard.',
  bad_answer: 'Something answered at that address, but it is not a relay. Check the address.',
};

function explain(error: unknown): string {
  if (!(error instanceof PairingError)) return error instanceof Error ? error.message : String(error);
  const wait = error.retryAfterMs ? ` Try again in ${Math.ceil(error.retryAfterMs / 1000)} s.` : '';
  return `${explanations[error.code] ?? error.detail}${wait}`;
}
