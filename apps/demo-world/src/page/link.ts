import type { ReadonlySignal, Signal } from '@preact/signals';
import type { WorldAction } from '../world/actions.ts';
import type { WorldState } from '../world/state.ts';

/** What the page needs of a world, wherever it runs. */
export interface WorldLink {
  /** Null until the first state has come; afterwards the last one known. */
  state: ReadonlySignal<WorldState | null>;
  status: ReadonlySignal<LinkStatus>;
  /** Whether the world itself is connected to a relay; null where that is not known. */
  relay: ReadonlySignal<RelayState | null>;
  /** Does something by hand; a world that says no tells why in `notice`. */
  perform: (action: WorldAction) => void;
  /** What could not be done, until somebody dismisses it or does something else. */
  notice: Signal<string | null>;
}

/** `stale`: what is shown is as old as `since`, in epoch milliseconds, and nothing can be done by hand. */
export type LinkStatus = { kind: 'connecting' } | { kind: 'live' } | { kind: 'stale'; since: number };

export type RelayState = 'connecting' | 'connected' | 'away';
