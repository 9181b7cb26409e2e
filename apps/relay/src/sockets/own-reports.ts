import { createSealer } from '@tabletop-relay/database';
import type { Database, RelaySecrets } from '@tabletop-relay/database';
import type { SettingsOf } from '@tabletop-relay/process';
import { connectionsOf } from '../instances/connections.ts';
import { createInstanceReports, silentAfterMs } from '../instances/instance-reports.ts';
import type { InstanceReports, reportSettings } from '../instances/instance-reports.ts';
import { createReadLoad } from '../instances/read-load.ts';
import type { LoadSources } from '../instances/read-load.ts';
import type { ConnectedClients } from './connected-clients.ts';
import { createShedder } from './leaving/shed.ts';
import type { ShedderDeps } from './leaving/shed.ts';
import { createLostWatch } from './leaving/lost-watch.ts';
import type { LostWatchDeps } from './leaving/lost-watch.ts';

export interface OwnReportsDeps extends ShedderDeps {
  clients: Pick<ConnectedClients, 'all' | 'size'>;
  db: Database;
  version: string;
  secrets: RelaySecrets;
  metrics: ShedderDeps['metrics'] & LoadSources['metrics'];
  presence: LostWatchDeps['presence'];
  settings: ShedderDeps['settings'] & SettingsOf<typeof reportSettings> & { databasePool: number };
  onDrainAsked?: (() => void) | undefined;
}

/**
 * Reports this instance, and does what the reports of all ask for: sends worlds to those that have far fewer, and records what
 * a killed one left.
 */
export function createOwnReports(deps: OwnReportsDeps): InstanceReports {
  const { db, cluster, clients, settings, log, presence } = deps;
  const shedder = createShedder(deps);
  const readLoad = createReadLoad(deps);
  const lostWatch = createLostWatch({ db, cluster, presence, log, silentMs: silentAfterMs(settings) });
  const reports = createInstanceReports({
    db,
    boot: cluster.boot,
    instanceId: cluster.instanceId,
    version: deps.version,
    databaseConnections: connectionsOf(settings.databasePool),
    keyIds: createSealer(deps.secrets).keyIds,
    readings: cluster.readings,
    settings,
    log,
    facts: async () => ({ worlds: clients.size, load: await readLoad() }),
    onDrainAsked: deps.onDrainAsked ?? (() => {}),
    onReport: (running) => {
      // One on another Redis takes no worlds.
      shedder.shed(running.filter(({ load }) => load.state !== 'foreign'));
      lostWatch.look();
    },
    onFailure: lostWatch.forget,
  });
  return {
    nameOf: reports.nameOf,
    isDatabaseAway: reports.isDatabaseAway,
    lackingSecret: reports.lackingSecret,
    start: reports.start,
    async stop() {
      await lostWatch.stop();
      await reports.stop();
    },
  };
}
