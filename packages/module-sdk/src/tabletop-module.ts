import type { Channel, ChannelTypes, ClientSummary, OperationTypes } from '@tabletop-relay/contract/types';
import type { Handlers, OperationName, OperationResult, TraceCommand } from './commands/handlers.ts';
import type { ModuleStorage } from './pairing/storage.ts';
import type { World } from './world.ts';

/** A pause of the world: while one stands, programs are refused. It is lifted where it was set. */
export interface WorldPause {
  setIn: 'relay' | 'tabletop';
  /** ISO 8601. */
  since: string;
}

/** The state of a module's connection to the relay. */
export type ModuleStatus =
  | { state: 'unpaired' }
  | { state: 'connecting' }
  /** Told again when a second socket takes over from one whose instance goes away. */
  | { state: 'connected'; clientId: string; instanceId: string }
  /** Another browser serves the world, and this one waits to: `connected` follows. Only with `ModuleOptions.standby`. */
  | { state: 'standby'; clientId: string; instanceId: string }
  /** `retryAt` in epoch milliseconds; `closeCode` where a socket was closed. */
  | { state: 'waiting'; retryAt: number; reason: string; closeCode?: number }
  /** `code` as in `RelayError`: `closed`, `invalid_url` or `insecure_url`. */
  | { state: 'closed'; code: string; reason: string };

/** Promises of a module. With them the relay accepts callers that are bound to one user of the world. */
export interface ModuleDeclarations {
  /** Every handler checks its `userId`, rolls too. Without it the relay refuses such callers what modules are known not to check. */
  checksUser?: boolean;
  /** Each event of `hooks`, `combat`, `actor` and `scene` says in `visibleTo` which users may see it. */
  filtersEvents?: boolean;
  /** The relay tells with each command who asks: `caller` of the handler's context. */
  wantsCaller?: boolean;
}

export interface ModuleOptions {
  world: World;
  storage: ModuleStorage;
  handlers: Handlers;
  /** Promises of this module for all its handlers and events. The relay relies on nothing else. */
  declares?: ModuleDeclarations;
  /**
   * Waits where another browser serves the world, and serves when that one goes, is silent or dies. Without it the relay refuses
   * this browser as long as the other one lives, and it asks again every 30 s.
   */
  standby?: boolean;
  /** Makes a module's spans a part of the relay's trace, in one place for all handlers. */
  trace?: TraceCommand;
  /** The relay to use, whatever address was stored at pairing. */
  url?: string;
  onStatus?: (status: ModuleStatus) => void;
  /** True when this browser begins to serve the world, false when it ends: another one may serve then. */
  onServing?: (isServing: boolean) => void;
  /** How many listen to a channel's events; 0 again whenever the connection ends. */
  onListeners?: (channel: Channel, count: number) => void;
  /** The pauses of the world that stand, on each change; none whenever the connection ends. */
  onPauses?: (pauses: WorldPause[]) => void;
  /** Called with errors that would otherwise be lost: an unexpected one of a handler or callback, a frame that the relay refused. */
  onError?: (error: unknown) => void;
  /** Allows `ws://` to another machine: who listens on the way then reads the token. */
  allowInsecure?: boolean;
  WebSocket?: typeof globalThis.WebSocket;
  fetch?: typeof globalThis.fetch;
  /** From 0 to below 1; spreads reconnecting modules over time. */
  random?: () => number;
}

/** The payload of an event by its channel; more fields are passed on. */
export type EventData<C extends Channel> = ChannelTypes[C]['data'];

/** An event's payload, or what makes it: that is called only if somebody listens. */
export type GivenEvent<C extends Channel> = EventData<C> | (() => EventData<C>);

export interface EventOptions {
  /**
   * The ids of the users who may see it, game masters too. Callers that are bound to a user get no other; without it they get of the
   * chat what is public, theirs or whispered to them, and nothing of other channels.
   */
  visibleTo?: readonly string[] | undefined;
}

export type KnownClient = ClientSummary;

/** The module's own world and those that its token may reach, and what it may do there. */
export interface KnownClients {
  clients: KnownClient[];
  tokenScopes: string[];
  tokenAllowedTargets: string[];
}

/** The answer of another world. */
export type RemoteResult<N extends OperationName> = { type: string } & OperationResult<N>;

/** One world's line to the relay. */
export interface TabletopModule {
  readonly status: ModuleStatus;
  /**
   * Exchanges a pairing code and stores the result; a connection that stood is closed first once the code was
   * accepted. Rejects with `PairingError`, having changed nothing.
   */
  pair(request: { relayUrl?: string; code: string }): Promise<{ clientId: string; relayUrl: string }>;
  /**
   * Pairs without a code: `onUrl` gets the address of the relay's page on which a person approves, and the promise resolves once
   * that has happened, as that of `pair`. A page opens its tab before it calls this, because browsers open one only at a press. Rejects with
   * `PairingError`, having changed nothing: `denied`, `code_expired` after ten minutes, `aborted` by the signal, and what `pair` rejects with.
   */
  pairByApproval(request: {
    relayUrl?: string;
    onUrl: (url: string) => void;
    signal?: AbortSignal;
  }): Promise<{ clientId: string; relayUrl: string }>;
  /**
   * Closes the connection and forgets this browser's token; the world keeps its `clientId`. False: the relay
   * did not confirm, and the token has to be revoked in the dashboard.
   */
  unpair(): Promise<boolean>;
  /**
   * Connects and stays connected until `close`. Resolves when first connected, or waiting as a standby; rejects with `RelayError` when
   * nothing more will be tried. It need not be awaited: `onStatus` tells the same.
   */
  connect(): Promise<void>;
  /** Ends the connection; running handlers are aborted and their answers dropped. `connect` may follow. */
  close(): void;
  /**
   * Lets this browser, which waits as a standby, serve in the place of the one that does: because a person says so. Resolves when it
   * serves. Rejects with `RelayError`: `rate_limited` where the other one has served for less than five seconds, `overloaded` while
   * it is being let in, `unavailable` where the relay cannot do it now.
   */
  serve(): Promise<void>;
  /** The pauses of the world that stand. */
  readonly pauses: readonly WorldPause[];
  /**
   * Stops all programs, or lifts what was stopped so in the tabletop, by whichever browser of the world. `userName` says who did it:
   * the dashboard shows it. Resolves when the relay has it; rejects with `RelayError`.
   */
  setPause(paused: boolean, options?: { userName?: string; timeoutMs?: number }): Promise<void>;
  /** How many listen to a channel now. */
  listeners(channel: Channel): number;
  /**
   * Sends an event if somebody listens; false where it was dropped: nobody listens, no connection, a line too
   * slow, or data that cannot be made, is not JSON or is too large. Never throws, never repeats.
   */
  emit<C extends Channel>(channel: C, event: GivenEvent<C>, options?: EventOptions): boolean;
  /**
   * Asks another world of the same account, as the token's permissions allow; `knownClients` tells what they are. Rejects with
   * `RemoteRequestError` where the relay or the other world refuses. Rejects with `RelayError` without an answer: after
   * `timeout` or `connection_lost` the other world may have carried it out. With a handler's `traceparent` the request is a part
   * of the same trace. A command with an `idempotencyKey`, a text that is new for each, may be repeated with it: it is carried out once.
   */
  remoteRequest<N extends OperationName>(
    targetClientId: string,
    action: N,
    payload: OperationTypes[N]['parameters'] & { userId?: string },
    options?: { timeoutMs?: number; traceparent?: string | undefined; idempotencyKey?: string | undefined },
  ): Promise<RemoteResult<N>>;
  /**
   * Lists the module's own world and those that its token may reach. Rejects with `RelayError`: at once with `rate_limited`,
   * `overloaded` (the last question is not answered yet) or `unavailable`, where the relay refuses.
   */
  knownClients(options?: { timeoutMs?: number }): Promise<KnownClients>;
  /** Writes `module.<event>` to the account's audit log; false without a connection. */
  notify(event: string): boolean;
}
