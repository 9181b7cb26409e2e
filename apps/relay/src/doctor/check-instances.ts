import { readProcesses } from '@tabletop-relay/database';
import type { Database, RunningProcess } from '@tabletop-relay/database';
import { connectionsOf } from '../instances/connections.ts';
import { isGivenSecret } from '../instances/instance-reports.ts';
import { readInstances } from '../instances/read-instances.ts';
import type { RunningInstance } from '../instances/read-instances.ts';
import { ok, problem, warning } from './finding.ts';
import type { Finding } from './finding.ts';

export interface InstancesToCheck {
  db: Database;
  /** `DATABASE_POOL`. */
  poolSize: number;
  /** The connections that Postgres gives to this role. */
  allowed: number;
  /** The ids of the keys of RELAY_SECRET; none where it is not set. */
  keyIds: readonly string[];
}

/** For a worker, a migration, this command, and whoever looks at the database. */
const spare = 10;

/** Looks at what runs on this database already. On a schema that is behind nothing has reported. */
export async function checkInstances({
  db,
  poolSize,
  allowed,
  keyIds,
}: InstancesToCheck): Promise<Finding[]> {
  const running = await readInstances(db).catch(() => []);
  const processes = await readProcesses(db).catch(() => []);
  return [
    judgeConnections(running, poolSize, allowed),
    ...judgeSecrets(running, processes, keyIds),
    ...judgeVersions(running),
    ...judgeNames(running),
    ...(running.length > 0 ? judgeWorkers(processes.filter(({ kind }) => kind === 'worker').length) : []),
  ];
}

function judgeConnections(running: readonly RunningInstance[], poolSize: number, allowed: number): Finding {
  const own = connectionsOf(poolSize);
  const instances = Math.max(1, running.length);
  const taken = running.length === 0 ? own : running.reduce((sum, one) => sum + one.databaseConnections, 0);
  const needed = taken + own + spare;
  if (allowed >= needed) return ok('Postgres connections', `${allowed} allowed, ${needed} needed`);
  return warning(
    'Postgres connections',
    `max_connections, or a limit of the role or the database, leaves ${allowed}; ${instances} instances take ${taken}, one more during a roll-out ${own}, and ${spare} are to spare`,
    `Raise it by ${needed - allowed} at least, or lower DATABASE_POOL: docs/operations/stores.md#postgres.`,
  );
}

/** Every instance and every worker must open what another instance sealed. */
function judgeSecrets(
  running: readonly RunningInstance[],
  processes: readonly RunningProcess[],
  keyIds: readonly string[],
): Finding[] {
  const [newest] = keyIds;
  const given = processes.filter(isGivenSecret);
  if (newest === undefined || running.length + given.length === 0) return [];
  const others = [
    ...running.filter(({ keyIds: [theirs = ''] }) => !keyIds.includes(theirs)),
    ...[...running, ...given].filter(({ keyIds: theirs }) => !theirs.includes(newest)),
  ];
  if (others.length === 0) return [ok('RELAY_SECRET', 'is that of all instances and workers')];
  return [
    problem(
      'RELAY_SECRET',
      `${[...new Set(others.map(({ instanceId }) => instanceId))].join(', ')}: has another, and cannot open what is sealed with this one`,
      'Give all instances and workers the same list, in the steps of docs/operations/secrets.md.',
    ),
  ];
}

/** One that was killed and started again is listed beside its successor until it counts as gone. */
const silentMs = 15_000;

function judgeNames(running: readonly RunningInstance[]): Finding[] {
  const alive = running.filter((one) => one.silentMs < silentMs);
  const twice = [...Map.groupBy(alive, ({ instanceId }) => instanceId)].filter(
    ([, those]) => those.length > 1,
  );
  return twice.map(([instanceId, those]) =>
    problem(
      'INSTANCE_ID',
      `${those.length} instances have the name ${instanceId} (boots ${those.map(({ boot }) => boot).join(', ')})`,
      'Give each a name of its own, or none: `pnpm admin drain <name> --boot <boot>` ends one of them.',
    ),
  );
}

/** Relays go on without one, so that nobody sees it at once. */
function judgeWorkers(worker: number): Finding[] {
  if (worker > 0) return [ok('worker', worker === 1 ? 'one runs' : `${worker} run`)];
  return [
    warning(
      'worker',
      'relays run, and no worker has reported to Postgres within 30 s: nothing is notified, rolled up or deleted',
      'Start one with the settings of the relays, and look at its log: docs/operations/incidents.md#a-process-is-gone.',
    ),
  ];
}

/** Two are as they should be during a roll-out, and stay where one was not ended. */
function judgeVersions(running: readonly RunningInstance[]): Finding[] {
  const byVersion = [...Map.groupBy(running, ({ version }) => version)];
  if (byVersion.length === 0) return [];
  const versions = byVersion.map(
    ([version, those]) => `${version} (${those.map(({ instanceId }) => instanceId).join(', ')})`,
  );
  if (byVersion.length === 1) return [ok('versions', `all instances run ${byVersion[0]?.[0]}`)];
  return [
    warning(
      'versions',
      `the instances run ${versions.join(' and ')}`,
      'Go on with the roll-out, or back: docs/operations/roll.md.',
    ),
  ];
}
