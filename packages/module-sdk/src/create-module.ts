import type { Channel } from '@tabletop-relay/contract/types';
import type { Frame } from './commands/commands.ts';
import { createMemory } from './commands/memory.ts';
import { createConnection } from './connection/connection.ts';
import { createDeferred } from './deferred.ts';
import type { Deferred } from './deferred.ts';
import { PairingError, RelayError, RemoteRequestError } from './errors.ts';
import { requestApproval } from './pairing/approval.ts';
import { requestPairing, requestUnpairing } from './pairing/pairing.ts';
import type { Pairing, PairingBrowser } from './pairing/pairing.ts';
import type {
  KnownClients,
  ModuleOptions,
  ModuleStatus,
  TabletopModule,
  WorldPause,
} from './tabletop-module.ts';

const requestTimeoutMs = 60_000;

/** Makes a module's side of the line; nothing is sent or read before `pair` or `connect`. */
// oxlint-disable-next-line max-lines-per-function -- It is the list of what a module may do, a few lines each.
export function createModule(options: ModuleOptions): TabletopModule {
  const { world, storage, allowInsecure = false } = options;
  const fetcher = options.fetch ?? globalThis.fetch.bind(globalThis);
  const listeners = new Map<Channel, number>();
  const memory = createMemory();
  let status: ModuleStatus = { state: 'closed', code: 'closed', reason: 'Not connected yet' };
  let pauses: WorldPause[] = [];
  let awaited: Deferred<void> | undefined;
  let isServing = false;

  const onError = (error: unknown) =>
    guarded(
      () => options.onError?.(error),
      () => undefined,
    );

  const connection = createConnection({
    world,
    storage,
    allowInsecure,
    handlers: options.handlers,
    declares: options.declares ?? {},
    standby: options.standby ?? false,
    trace: options.trace,
    memory,
    url: options.url,
    WebSocket: options.WebSocket ?? platformSocket(),
    random: options.random ?? Math.random,
    onError,
    onStatus(next) {
      status = next;
      const error = finalError(next);
      if (error) awaited?.reject(error);
      else if (isLetIn(next)) awaited?.resolve();
      if (error || isLetIn(next)) awaited = undefined;
      guarded(() => options.onStatus?.(next), onError);
      if (isServing === (next.state === 'connected')) return;
      isServing = !isServing;
      guarded(() => options.onServing?.(isServing), onError);
    },
    onListeners(channel, count) {
      if ((listeners.get(channel) ?? 0) === count) return;
      listeners.set(channel, count);
      guarded(() => options.onListeners?.(channel, count), onError);
    },
    onPauses(next) {
      if (JSON.stringify(next) === JSON.stringify(pauses)) return;
      pauses = next;
      guarded(() => options.onPauses?.(next), onError);
    },
  });

  const stop = (next: ModuleStatus): void => {
    connection.stop(next);
    // They run on where a connection ends by itself.
    memory.abort('The module was closed');
  };

  const ask = async (frame: object & { type: string }, timeoutMs = requestTimeoutMs): Promise<Frame> => {
    const link = connection.link();
    if (!link) throw new RelayError('not_connected', 'Not connected to the relay');
    return link.ask(frame, timeoutMs);
  };

  const pairBy = async (
    relayUrl: string | undefined = options.url,
    request: (browser: PairingBrowser) => Promise<Pairing>,
  ): Promise<{ clientId: string; relayUrl: string }> => {
    const { clientId: existingClientId, pairedRelayUrl } = await storage.load();
    const asked = relayUrl ?? pairedRelayUrl;
    if (!asked) throw new PairingError('invalid_url', 'Say which relay to pair with');
    const browser = { relayUrl: asked, world, existingClientId, allowInsecure, fetch: fetcher };
    const { clientId, relayUrl: pairedWith, token } = await request(browser);
    stop({ state: 'closed', code: 'closed', reason: 'Paired; not connected yet' });
    await storage.save({ clientId, pairedRelayUrl: pairedWith, connectionToken: token });
    return { clientId, relayUrl: pairedWith };
  };

  return {
    get status() {
      return status;
    },

    pair: ({ relayUrl, code }) => pairBy(relayUrl, (browser) => requestPairing({ ...browser, code })),

    pairByApproval: ({ relayUrl, onUrl, signal }) =>
      pairBy(relayUrl, (browser) => requestApproval({ ...browser, onUrl, signal })),

    async unpair() {
      const { connectionToken: token, pairedRelayUrl } = await storage.load();
      stop({ state: 'unpaired' });
      await storage.save({ connectionToken: undefined });
      const relayUrl = options.url ?? pairedRelayUrl;
      if (!token) return true;
      return relayUrl !== undefined && requestUnpairing({ relayUrl, token, allowInsecure, fetch: fetcher });
    },

    connect() {
      if (isLetIn(status)) return Promise.resolve();
      awaited ??= createDeferred();
      const { promise } = awaited;
      // A caller that only watches the status need not handle the rejection.
      promise.catch(() => undefined);
      connection.start();
      return promise;
    },

    close() {
      stop({ state: 'closed', code: 'closed', reason: 'Closed by the module' });
    },

    async serve() {
      if (connection.link()) return;
      const link = connection.waiting();
      if (!link) throw new RelayError('not_connected', 'Not connected to the relay');
      await link.serve();
    },

    get pauses() {
      return pauses;
    },

    async setPause(paused, { userName, timeoutMs } = {}) {
      const frame = { type: 'set-pause', paused, userName };
      await ask(frame, timeoutMs);
    },

    listeners: (channel) => listeners.get(channel) ?? 0,

    emit(channel, event, options) {
      if (!listeners.get(channel)) return false;
      const send = () =>
        connection.link()?.sendEvent(channel, typeof event === 'function' ? event() : event, options);
      return guarded(send, onError) ?? false;
    },

    async remoteRequest(targetClientId, action, payload, { timeoutMs, ...more } = {}) {
      const { traceparent, idempotencyKey } = more;
      const frame = { type: 'remote-request', targetClientId, action, payload, traceparent, idempotencyKey };
      const response = await ask(frame, timeoutMs);
      if (response['success'] === true) return response['data'] as never;
      throw new RemoteRequestError(response);
    },

    async knownClients({ timeoutMs } = {}) {
      const { clients, tokenScopes, tokenAllowedTargets } = await ask(
        { type: 'get-known-clients' },
        timeoutMs,
      );
      return { clients, tokenScopes, tokenAllowedTargets } as KnownClients;
    },

    notify: (event) => connection.link()?.send({ type: 'module-notify', event }) ?? false,
  };
}

function platformSocket(): typeof globalThis.WebSocket {
  const { WebSocket } = globalThis as { WebSocket?: typeof globalThis.WebSocket };
  if (WebSocket) return WebSocket;
  throw new TypeError(
    'This platform has no WebSocket; give one as the option `WebSocket`, for example of the package ws',
  );
}

const isLetIn = ({ state }: ModuleStatus): boolean => state === 'connected' || state === 'standby';

/** Why nothing more will be tried, where the status says so. */
function finalError(status: ModuleStatus): RelayError | undefined {
  if (status.state === 'unpaired') return new RelayError('not_paired', 'Not paired with a relay');
  if (status.state === 'closed') return new RelayError(status.code, status.reason);
  return undefined;
}

/** Runs what is not ours; its error must not end the connection. */
function guarded<T>(call: () => T, onError: (error: unknown) => void): T | undefined {
  try {
    return call();
  } catch (error) {
    onError(error);
    return undefined;
  }
}
