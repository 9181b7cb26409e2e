import type { Run } from '@tabletop-relay/headless';
import type { ModuleSettings } from '../adapters/adapter.ts';

/** Why a session leaves this host. */
export type Leaving =
  | { kind: 'ended'; detail: string }
  /** Another host goes on with it, or it is over: nothing is left to write. */
  | { kind: 'superseded' }
  /** This host goes away, and another goes on with it. */
  | { kind: 'handover' };

/** A session that this host runs, between the loop that beats for it and the work on its page. */
export interface RunningSession extends Run {
  /** Epoch milliseconds. */
  readonly startedAt: number;
  lastActivityAt: number;
  /** Whether its world is online: before that nobody can use it. */
  isOnline: boolean;
  /** What this start has written into the world's settings, also in a page that crashed since. */
  readonly written: Pick<ModuleSettings, 'clientId' | 'pairedRelayUrl'>;
  /** Settles when the page has written it. */
  writing: Promise<unknown>;
  /** Aborted by `leave`, with what it was given as the reason. */
  readonly signal: AbortSignal;
  /** The first reason counts. */
  leave(why: Leaving): void;
  /** Set while a page is open. */
  takePicture: (() => Promise<Buffer | undefined>) | undefined;
  /** The page's console, where it is captured; taken when it has changed. */
  takeConsole: () => readonly object[] | undefined;
}

export function createRunningSession({ id, run }: Run, startedAt: number): RunningSession {
  const leaving = new AbortController();
  return {
    id,
    run,
    startedAt,
    lastActivityAt: Date.now(),
    isOnline: false,
    written: {},
    writing: Promise.resolve(),
    signal: leaving.signal,
    leave(why) {
      if (!leaving.signal.aborted) leaving.abort(why);
    },
    takePicture: undefined,
    takeConsole: () => undefined,
  };
}
