import { createSealer } from '@tabletop-relay/database';
import type { Database, RelaySecrets } from '@tabletop-relay/database';
import type { SettingsOf } from '@tabletop-relay/process';
import { connectionsOf } from '../../instances/connections.ts';
import { createInstanceReports } from '../../instances/instance-reports.ts';
import type { InstanceReports, reportSettings } from '../../instances/instance-reports.ts';
import type { ConnectedClients } from '../connected-clients.ts';
import { createShedder } from './shed.ts';
import type { ShedderDeps } from './shed.ts';

export interface WorldSharesDeps extends ShedderDeps {
  clients: Pick<ConnectedClients, 'all' | 'size'>;
  db: Database;
  version: string;
  secrets: RelaySecrets;
  settings: ShedderDeps['settings'] & SettingsOf<typeof reportSettings> & { databasePool: number };
  onDrainAsked?: (() => void) | undefined;
}

/** Reports this instance with the number of its worlds, and sends some away where it has far more than the others. */
export function createWorldShares(deps: WorldSharesDeps): InstanceReports {
  const { db, cluster, clients, settings, log, isDraining } = deps;
  const shedder = createShedder(deps);
  return createInstanceReports({
    db,
    boot: cluster.boot,
    instanceId: cluster.instanceId,
    version: deps.version,
    databaseConnections: connectionsOf(settings.databasePool),
    keyIds: createSealer(deps.secrets).keyIds,
    settings,
    log,
    facts: () => ({ worlds: clients.size, isDraining: isDraining() }),
    onDrainAsked: deps.onDrainAsked ?? (() => {}),
    onReport: shedder.shed,
  });
}
