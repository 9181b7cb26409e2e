import { createModule, memoryStorage } from '../src/index.ts';
import type { ModuleOptions, ModuleStatus, TabletopModule } from '../src/index.ts';

export const world = {
  worldId: 'lost-mine',
  worldTitle: 'The Lost Mine',
  tabletopVersion: '13.345',
  systemId: 'sys5e',
  systemTitle: 'Fifth Edition',
  systemVersion: '4.3.2',
};

export const paired = (pairedRelayUrl: string) =>
  memoryStorage({ clientId: 'client-1', connectionToken: 'trc_token', pairedRelayUrl });

/** A paired module whose statuses and errors are recorded; retries come at once unless `random` says otherwise. */
export function makeModule(
  relayUrl: string,
  options: Partial<ModuleOptions> = {},
): { module: TabletopModule; statuses: ModuleStatus[]; errors: unknown[] } {
  const statuses: ModuleStatus[] = [];
  const errors: unknown[] = [];
  const module = createModule({
    world,
    storage: paired(relayUrl),
    handlers: {},
    random: () => 0,
    onStatus: (status) => statuses.push(status),
    onError: (error) => errors.push(error),
    ...options,
  });
  return { module, statuses, errors };
}
