import { adviceFor } from '@tabletop-relay/contract';
import type { Channel } from '@tabletop-relay/contract/types';
import { RelayError, messageOf } from '../errors.ts';
import type { Handlers, TraceCommand } from '../commands/handlers.ts';
import type { CommandMemory } from '../commands/memory.ts';
import { channelNames } from './channel-frames.ts';
import { openLink } from './link.ts';
import type { Link } from './link.ts';
import { retryDelayMs } from './reconnect.ts';
import type { LinkEnd } from './reconnect.ts';
import { parseRelayUrl, socketUrl } from './relay-url.ts';
import type { ModuleStorage } from '../pairing/storage.ts';
import type { ModuleDeclarations, ModuleStatus, WorldPause } from '../tabletop-module.ts';
import type { World } from '../world.ts';

/** A connection that held for so long starts the back-off anew. */
const steadyAfterMs = 60_000;
/** How long a replaced socket may go on answering if the relay does not close it. */
const replacedForMs = 60_000;

/** The events of a window whose machine or page was away: asleep, frozen, hidden, offline. Node has none of them. */
const wakings = ['online', 'visibilitychange', 'resume', 'pageshow'] as const;

export interface ConnectionOptions {
  world: World;
  storage: ModuleStorage;
  handlers: Handlers;
  declares: ModuleDeclarations;
  standby: boolean;
  trace: TraceCommand | undefined;
  memory: CommandMemory;
  url: string | undefined;
  allowInsecure: boolean;
  WebSocket: typeof WebSocket;
  random: () => number;
  onStatus: (status: ModuleStatus) => void;
  /** Every channel gives 0 when the socket is lost. */
  onListeners: (channel: Channel, count: number) => void;
  /** None when the socket is lost. */
  onPauses: (pauses: WorldPause[]) => void;
  onError: (error: unknown) => void;
}

/** A line to the relay that is kept up, one socket after the other. */
export interface Connection {
  /** The socket that new frames go up, while one is authenticated. */
  link(): Link | undefined;
  /** The socket that waits, while one does. */
  waiting(): Link | undefined;
  start(): void;
  stop(status: ModuleStatus): void;
}

/** Makes a line that, once started, reconnects for ever as the relay's close codes advise. */
// oxlint-disable-next-line max-lines-per-function -- One state machine: its short functions share the state of the line.
export function createConnection(options: ConnectionOptions): Connection {
  const { storage, random, onStatus } = options;
  /** Counts starts and stops: what was awaited across one of them no longer counts. */
  let run = 0;
  let running = false;
  let failures = 0;
  let link: Link | undefined;
  let opening: Link | 'preparing' | undefined;
  /** The socket that is opening has been let in, and waits. */
  let isWaiting = false;
  const replaced = new Map<Link, ReturnType<typeof setTimeout>>();
  let retry: ReturnType<typeof schedule> | undefined;
  /** Proof that opens the next socket while this one still serves. */
  let handover: string | undefined;
  const leftOut = new Map<Channel, number>();

  const start = () => {
    if (running) return;
    running = true;
    run += 1;
    for (const event of wakings) globalThis.addEventListener?.(event, wake);
    attempt();
  };

  const stop = (status: ModuleStatus) => {
    running = false;
    run += 1;
    failures = 0;
    for (const event of wakings) globalThis.removeEventListener?.(event, wake);
    cancelRetry();
    if (typeof opening === 'object') opening.close();
    for (const old of replaced.keys()) {
      forgetReplaced(old);
      old.close();
    }
    link?.close();
    link = opening = handover = undefined;
    silenceListeners();
    onStatus(status);
  };

  const attempt = () => {
    cancelRetry();
    const thisRun = run;
    opening = 'preparing';
    isWaiting = false;
    if (!link) onStatus({ state: 'connecting' });
    if (run !== thisRun) return;
    open(thisRun).catch((error: unknown) => {
      if (run !== thisRun) return;
      const reason = messageOf(error);
      if (error instanceof RelayError) return stop({ state: 'closed', code: error.code, reason });
      opening = undefined;
      options.onError(error);
      retryAfter({ code: 1006, reason, readyForMs: 0 });
    });
  };

  const open = async (thisRun: number) => {
    const { clientId, connectionToken: token, pairedRelayUrl } = await storage.load();
    if (run !== thisRun) return;
    const relayUrl = options.url ?? pairedRelayUrl;
    if (!clientId || !token || !relayUrl) return stop({ state: 'unpaired' });
    const url = socketUrl(parseRelayUrl(relayUrl, options.allowInsecure), clientId, options.world);
    const opened = openLink({
      WebSocket: options.WebSocket,
      url,
      token,
      handover,
      handlers: options.handlers,
      declares: options.declares,
      standby: options.standby,
      trace: options.trace,
      memory: options.memory,
      leftOut,
      onError: options.onError,
      onReady: (hello) => use(opened, hello),
      onStandby(hello) {
        isWaiting = true;
        if (!link) onStatus({ state: 'standby', ...hello });
      },
      onListeners(channel, count) {
        if (link === opened) options.onListeners(channel, count);
      },
      onPauses(pauses) {
        if (link === opened) options.onPauses(pauses);
      },
      onGoingAway(afterMs, given) {
        if (link !== opened) return;
        handover = given;
        if (!opening) retry ??= schedule(afterMs);
      },
      onEnd: (end) => lose(opened, token, end),
    });
    opening = opened;
  };

  const use = (opened: Link, hello: { clientId: string; instanceId: string }) => {
    const thisRun = run;
    const old = link;
    opening = handover = undefined;
    isWaiting = false;
    link = opened;
    if (old) replace(old);
    if (run === thisRun) onStatus({ state: 'connected', ...hello });
  };

  // The relay closes the old socket once its calls have ended: closing it here could lose one on its way. Who listened
  // goes on listening until the new instance says otherwise: an event that happens before its word comes must not be lost.
  const replace = (old: Link) => {
    const timer = setTimeout(() => {
      replaced.delete(old);
      old.close();
    }, replacedForMs);
    replaced.set(old, timer);
  };

  const lose = (lost: Link, token: string, end: LinkEnd) => {
    if (replaced.has(lost)) return forgetReplaced(lost);
    const thisRun = run;
    if (end.readyForMs >= steadyAfterMs) failures = 0;
    if (opening === lost) {
      opening = undefined;
      isWaiting = false;
    }
    if (link === lost) {
      link = undefined;
      silenceListeners();
    }
    // A callback may have closed the module.
    if (run !== thisRun) return;
    const { reason } = end;
    const advice = adviceFor(end.code);
    // The instance died before the time that it gave for coming over.
    if (advice !== 'come-back-as-told') cancelRetry();
    if (advice === 'nothing') stop({ state: 'closed', code: 'closed', reason: reason || 'The relay closed' });
    else if (advice === 'pair-again') void forget(token, end);
    else retryAfter(end);
  };

  const forget = async (token: string, end: LinkEnd) => {
    const thisRun = run;
    try {
      const { connectionToken } = await storage.load();
      if (run !== thisRun) return;
      // Paired anew by another tab meanwhile: the refused token is not the one that is stored.
      if (connectionToken && connectionToken !== token) return retryAfter(end);
      await storage.save({ connectionToken: undefined });
    } catch (error) {
      options.onError(error);
    }
    if (run === thisRun) stop({ state: 'unpaired' });
  };

  const retryAfter = (end: LinkEnd) => {
    if (!link && opening) return isWaiting ? undefined : onStatus({ state: 'connecting' });
    retry ??= schedule(retryDelayMs(end.code, { failures, handingOver: link !== undefined, random }));
    failures += 1;
    if (link) return;
    const reason = end.reason || `Closed (${end.code})`;
    onStatus({ state: 'waiting', retryAt: retry.at, closeCode: end.code, reason });
  };

  const schedule = (delayMs: number) => ({
    timer: setTimeout(attempt, delayMs),
    at: Date.now() + delayMs,
  });

  const cancelRetry = () => {
    clearTimeout(retry?.timer);
    retry = undefined;
  };

  const wake = () => {
    if (globalThis.document?.visibilityState === 'hidden') return;
    const open = link ?? waiting();
    if (open) open.askNow();
    else if (retry) attempt();
  };

  const forgetReplaced = (old: Link) => {
    clearTimeout(replaced.get(old));
    replaced.delete(old);
  };

  const silenceListeners = () => {
    for (const channel of channelNames) options.onListeners(channel, 0);
    options.onPauses([]);
  };

  const waiting = () => (isWaiting && typeof opening === 'object' ? opening : undefined);

  return { link: () => link, waiting, start, stop };
}
