import { PairingError, RelayError } from '@tabletop-relay/module-sdk';
import type { ModuleStatus, ModuleStorage, TabletopModule, WorldPause } from '@tabletop-relay/module-sdk';

/** How this browser stands with the relay, as the window shows it. */
export interface LineState {
  status: ModuleStatus;
  pauses: readonly WorldPause[];
  /** Another tab of this browser has the world's lock, and answers. */
  isOtherTab: boolean;
  /** Set while a person is on the relay's page; `pageUrl` is where that is, once known. */
  pairing: { pageUrl: string | undefined; isBlocked: boolean } | undefined;
  /** Whether the relay refused a token that this browser had. */
  wasRefused: boolean;
  /**
   * Why the last press failed. `served-too-briefly`, `not-served`: the relay did not let this browser take over. A browser that connects
   * has none.
   */
  problem: PairingError | 'not-unpaired' | 'served-too-briefly' | 'not-served' | undefined;
}

export interface Line {
  readonly state: LineState;
  /** Serves if this browser is paired and no other tab of it does; takes over when that one ends. */
  serve(): Promise<void>;
  /** Asks to be paired. `openTab` opens a blank tab, and is called before anything is awaited: browsers open one only at a press. */
  pair(relayUrl: string, openTab: () => Window | null): Promise<void>;
  giveUp(): void;
  unpair(): Promise<void>;
  /** Tries now, whatever it waits for. */
  retry(): void;
  /** Takes over from the browser that serves. Where the relay refuses, this one goes on waiting, and `problem` says why. */
  serveHere(): Promise<void>;
}

/** Where tabs of one browser take turns. */
type Locks = Pick<LockManager, 'request' | 'query'>;

export interface LineOptions {
  worldId: string;
  storage: ModuleStorage;
  /** Absent where the page is not secure: then the relay's refusal of a second browser decides alone. */
  locks: Locks | undefined;
  makeModule(callbacks: {
    onStatus(status: ModuleStatus): void;
    onPauses(pauses: WorldPause[]): void;
  }): TabletopModule;
  onChange(state: LineState): void;
}

/** A line of which nothing is known yet. */
export const unpaired: LineState = {
  status: { state: 'unpaired' },
  pauses: [],
  isOtherTab: false,
  pairing: undefined,
  wasRefused: false,
  problem: undefined,
};

/** The world's line to its relay, as one browser keeps it. */
// oxlint-disable-next-line max-lines-per-function -- One state machine: its short functions share the state of the line.
export function createLine({ worldId, storage, locks, makeModule, onChange }: LineOptions): Line {
  let state = unpaired;
  let release: (() => void) | undefined;
  let asking: AbortController | undefined;
  let pairing: AbortController | undefined;

  const change = (changes: Partial<LineState>) => {
    state = { ...state, ...changes };
    onChange(state);
  };

  const module = makeModule({
    onStatus(status) {
      // A refused token is forgotten by the SDK: what was connected or connecting is unpaired then, and nobody here asked for it.
      const wasRefused = status.state === 'unpaired' && release !== undefined;
      if (status.state === 'unpaired') letGo();
      change({
        status,
        ...(status.state === 'connecting' ? {} : { wasRefused }),
        ...(status.state === 'connected' ? { problem: undefined } : {}),
      });
    },
    onPauses: (pauses) => change({ pauses }),
  });

  /** Lets another tab serve. */
  const letGo = () => {
    release?.();
    asking?.abort();
    release = asking = undefined;
  };

  // The status tells the outcome, so the rejection adds nothing.
  const connect = () => void module.connect().catch(() => undefined);

  const serve = async () => {
    const { connectionToken } = await storage.load();
    if (!connectionToken || release || asking) return;
    if (!locks) {
      release = () => undefined;
      connect();
      return;
    }
    const name = `tabletop-relay:${worldId}`;
    const own = (asking = new AbortController());
    const served = locks.request(name, { signal: own.signal }, async () => {
      asking = undefined;
      if (own.signal.aborted) return;
      change({ isOtherTab: false });
      // Another tab may have unpaired this browser while this one waited.
      if (!(await storage.load()).connectionToken) return;
      await new Promise<void>((resolve) => {
        release = resolve;
        connect();
      });
    });
    served.catch(() => undefined);
    const { held = [] } = await locks.query();
    if (asking === own) change({ isOtherTab: held.some((lock) => lock.name === name) });
  };

  return {
    get state() {
      return state;
    },

    serve,

    async pair(relayUrl, openTab) {
      if (pairing) return;
      const own = (pairing = new AbortController());
      const tab = openTab();
      change({ problem: undefined, pairing: { pageUrl: undefined, isBlocked: tab === null } });
      try {
        await module.pairByApproval({
          relayUrl,
          signal: own.signal,
          onUrl(pageUrl) {
            if (tab && !tab.closed) tab.location.replace(pageUrl);
            change({ pairing: { pageUrl, isBlocked: tab === null || tab.closed } });
          },
        });
        change({ pairing: undefined, wasRefused: false });
        letGo();
        await serve();
      } catch (error) {
        const isGivenUp = error instanceof PairingError && error.code === 'aborted';
        const problem = error instanceof PairingError ? error : new PairingError('other', String(error));
        if (state.pairing?.pageUrl === undefined) tab?.close();
        change({ pairing: undefined, problem: isGivenUp ? undefined : problem });
      } finally {
        pairing = undefined;
      }
    },

    giveUp: () => pairing?.abort(),

    async serveHere() {
      change({ problem: undefined });
      try {
        await module.serve();
      } catch (error) {
        const isTooSoon = error instanceof RelayError && error.code === 'rate_limited';
        change({ problem: isTooSoon ? 'served-too-briefly' : 'not-served' });
      }
    },

    async unpair() {
      letGo();
      const isConfirmed = await module.unpair();
      change({ wasRefused: false, isOtherTab: false, problem: isConfirmed ? undefined : 'not-unpaired' });
    },

    retry() {
      if (release) {
        module.close();
        connect();
      } else void serve();
    },
  };
}
