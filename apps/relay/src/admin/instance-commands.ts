import { servesThere } from '@tabletop-relay/cluster';
import type { RedisReading } from '@tabletop-relay/cluster';
import { createSealer, readProcesses } from '@tabletop-relay/database';
import { isGivenSecret } from '../instances/instance-reports.ts';
import { askToDrain, readInstances } from '../instances/read-instances.ts';
import type { RunningInstance } from '../instances/read-instances.ts';
import { sealedColumns } from '../sealed-columns.ts';
import { printTable, printTime } from './command.ts';
import type { AdminCommand, AdminDeps, Answer } from './command.ts';

/** Commands on the installation: its instances, and the secret that they share. */
export const instanceCommands: Readonly<Record<string, AdminCommand>> = {
  instances: {
    takes: '',
    summary:
      'the instances that run: version, worlds, connections to Postgres; and workers and browser hosts',
    run: describeInstances,
  },
  drain: {
    takes: '<instance> [--boot <boot>]',
    summary: 'has an instance send its worlds to the others and end, as a SIGTERM does',
    run: drainInstance,
  },
  redis: {
    takes: '',
    summary: 'which Redis each instance uses, and how to change it',
    run: describeRedis,
  },
  secrets: {
    takes: '',
    summary: 'what is sealed under each value of RELAY_SECRET, and which may be dropped',
    run: describeSecrets,
  },
  reseal: {
    takes: '',
    summary: 'seals everything anew under the first value of RELAY_SECRET',
    run: reseal,
  },
};

async function describeInstances({ db }: AdminDeps): Promise<Answer> {
  const instances = await readInstances(db);
  const rows = instances.map((instance) => ({
    instance: instance.instanceId,
    version: instance.version,
    worlds: instance.worlds,
    'connections to Postgres': instance.databaseConnections,
    state: stateOf(instance),
    reported: printTime(instance.reportedAt),
  }));
  const processes = await readProcesses(db);
  const others = processes.map(({ kind, instanceId }) => ({ process: kind, name: instanceId }));
  const text = [
    printTable(rows, 'no instance has reported lately'),
    printTable(others, 'no worker and no browser host has reported lately'),
  ].join('\n\n');
  return { text, json: { instances, processes } };
}

function stateOf({ isDraining, drainAskedAt }: RunningInstance): string {
  if (isDraining) return 'draining';
  return drainAskedAt ? 'asked to drain' : 'serving';
}

/** `boot`: of the one that is meant, where several have the name. */
async function drainInstance(
  { db }: AdminDeps,
  [instanceId = '']: readonly string[],
  boot?: string,
): Promise<Answer> {
  const named = (await readInstances(db)).filter((instance) => instance.instanceId === instanceId);
  if (named.length === 0) throw new Error(`no instance by the name ${instanceId} runs`);
  const meant = boot === undefined ? named : named.filter((instance) => instance.boot === boot);
  const [one] = meant;
  if (!one)
    throw new Error(`no instance by the name ${instanceId} has the boot ${boot}:\n${listBoots(named)}`);
  if (meant.length > 1) {
    throw new Error(
      `${meant.length} instances have the name ${instanceId}, and none was asked. Name one by --boot:\n${listBoots(meant)}`,
    );
  }
  await askToDrain(db, one.boot);
  return {
    text: `${instanceId}: drains within some seconds and ends; whatever keeps it running starts it again`,
    json: { instanceId, boot: one.boot, asked: true },
  };
}

const listBoots = (instances: readonly RunningInstance[]): string =>
  printTable(
    instances.map((instance) => ({
      boot: instance.boot,
      version: instance.version,
      worlds: instance.worlds,
      state: stateOf(instance),
      reported: printTime(instance.reportedAt),
    })),
    '',
  );

const howToChange =
  'To change Redis: stop all relays, set REDIS_URL on all, start them. One that starts beside others is refused where its Redis\n' +
  'is another one. A copy with the same data, as a promoted replica has it, needs no stop: docs/operations/stores.md#change-redis';

async function describeRedis({ db }: AdminDeps): Promise<Answer> {
  const instances = (await readInstances(db)).map(({ instanceId, redis }) => ({ instanceId, redis }));
  const rows = instances.flatMap(({ instanceId: instance, redis }) => {
    const shards = Object.entries(redis ?? {});
    if (shards.length === 0)
      return [{ instance, shard: '-', redis: redis ? 'none' : 'unknown', id: '-', state: '-' }];
    return shards.map(([shard, reading]) => ({
      instance,
      shard: String(Number(shard) + 1),
      redis: reading.place,
      id: reading.id.slice(0, 8),
      state: stateOfReading(reading),
    }));
  });
  return {
    text: `${printTable(rows, 'no instance has reported lately')}\n\n${howToChange}`,
    json: { instances },
  };
}

function stateOfReading(reading: RedisReading): string {
  if (!servesThere(reading)) return 'another: serves nothing';
  return reading.found === '' ? 'was empty' : 'its own';
}

function sealerOf({ secrets }: AdminDeps) {
  if (!secrets) throw new Error('RELAY_SECRET is not set: give this command what the relays have');
  return createSealer(secrets);
}

/** Instances and workers: what opens sealed texts. */
type Opening = Pick<RunningInstance, 'instanceId' | 'keyIds'>;

const readOpening = async ({ db }: AdminDeps): Promise<Opening[]> => [
  ...(await readInstances(db)),
  ...(await readProcesses(db)).filter(isGivenSecret),
];

/** Those that could not open what is sealed under the key. */
const instancesWithout = (instances: readonly Opening[], keyId: string) =>
  instances.filter(({ keyIds }) => !keyIds.includes(keyId)).map(({ instanceId }) => instanceId);

async function describeSecrets(deps: AdminDeps): Promise<Answer> {
  const { keyIds } = sealerOf(deps);
  const instances = await readInstances(deps.db);
  const opening = await readOpening(deps);
  const counted = await Promise.all(
    sealedColumns.map(async (column) => ({ holds: column.holds, counts: await column.count(deps.db) })),
  );
  const named = counted.flatMap(({ counts }) => [...counts.keys()]);
  const secrets = [...new Set([...keyIds, ...named])].map((keyId) => ({
    keyId,
    /** Its place in RELAY_SECRET, from 1; null where RELAY_SECRET lacks it. */
    place: keyIds.includes(keyId) ? keyIds.indexOf(keyId) + 1 : null,
    sealed: Object.fromEntries(counted.map(({ holds, counts }) => [holds, counts.get(keyId) ?? 0])),
    unknownTo: instancesWithout(opening, keyId),
  }));
  const rows = secrets.map((secret) => ({
    key: secret.keyId,
    place: secret.place ?? 'lacking',
    ...secret.sealed,
    'may be dropped': mayBeDropped(secret, instances) ? 'yes' : 'no',
    'not known to': secret.unknownTo.join(', ') || '-',
  }));
  return { text: printTable(rows, ''), json: { secrets } };
}

/** Nothing that lasts names it, and no instance seals with it any more. */
function mayBeDropped(
  { keyId, place, sealed }: { keyId: string; place: number | null; sealed: Record<string, number> },
  instances: readonly RunningInstance[],
): boolean {
  const isUnnamed = Object.values(sealed).every((count) => count === 0);
  return place !== 1 && isUnnamed && instances.every(({ keyIds }) => keyIds[0] !== keyId);
}

async function reseal(deps: AdminDeps): Promise<Answer> {
  const sealer = sealerOf(deps);
  const without = instancesWithout(await readOpening(deps), sealer.keyIds[0]);
  if (without.length > 0) {
    throw new Error(
      `${without.join(', ')} cannot open what the first value of RELAY_SECRET seals: give it to all instances and workers before`,
    );
  }
  const columns = [];
  for (const column of sealedColumns)
    columns.push({ holds: column.holds, ...(await column.reseal(deps.db, sealer)) });
  return { text: printTable(columns, ''), json: { columns } };
}
