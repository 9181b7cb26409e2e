import type { ModuleStatus, TabletopModule } from '@tabletop-relay/module-sdk';
import { registerSystem } from './systems/choose.ts';
import type { RulesSystem } from './systems/system.ts';

/**
 * What other modules get, by the hook `tabletop-relay.ready`, once, when the world is ready: nothing of it opens the relay to them beyond what this
 * browser's pairing allows, and no token is in it.
 */
export interface RelayApi extends Pick<TabletopModule, 'remoteRequest' | 'knownClients' | 'emit'> {
  readonly version: string;
  readonly status: ModuleStatus;
  /** Calls at each change of the status. Returns what ends that. */
  onStatus(run: (status: ModuleStatus) => void): () => void;
  /** Adds a rules system, or a part of one; it is asked before the module's own. */
  registerSystem(system: RulesSystem): void;
  /** Opens the window. */
  open(): void;
}

export function createApi(
  version: string,
  module: TabletopModule,
  {
    open,
    mayTell,
    onError,
  }: {
    open: () => void;
    /** Whether the game master lets events out. */
    mayTell: () => boolean;
    onError: (error: unknown) => void;
  },
): { api: RelayApi; tell(status: ModuleStatus): void } {
  const runs = new Set<(status: ModuleStatus) => void>();
  const api: RelayApi = {
    version,
    get status() {
      return module.status;
    },
    onStatus(run) {
      runs.add(run);
      return () => void runs.delete(run);
    },
    registerSystem,
    open,
    emit: (channel, event, options) => mayTell() && module.emit(channel, event, options),
    remoteRequest: (target, action, payload, options) =>
      module.remoteRequest(target, action, payload, options),
    knownClients: (options) => module.knownClients(options),
  };
  return {
    api: Object.freeze(api),
    tell(status) {
      for (const run of runs) {
        try {
          run(status);
        } catch (error) {
          onError(error);
        }
      }
    },
  };
}
