import type { ReadonlySignal, Signal } from '@preact/signals';
import type { WorldAction } from '../world/actions.ts';
import type { WorldState } from '../world/state.ts';

/** The interface between the page and a world, wherever the world runs. */
export interface WorldLink {
  /** Null until the first state has come; afterwards the last one known. */
  state: ReadonlySignal<WorldState | null>;
  status: ReadonlySignal<LinkStatus>;
  /** Whether the world itself is connected to a relay; null where that is not known. */
  relay: ReadonlySignal<RelayState | null>;
  /** Takes an action. Where the world refuses it, `notice` says why. */
  perform: (action: WorldAction) => void;
  /** Why the last action failed, until somebody dismisses it or does something else. */
  notice: Signal<string | null>;
}

/** `stale`: what is shown is as old as `since`, in epoch milliseconds, and no action can be taken. */
export type LinkStatus = { kind: 'connecting' } | { kind: 'live' } | { kind: 'stale'; since: number };

export type RelayState = 'connecting' | 'connected' | 'away';
