import type { Cluster } from '@tabletop-relay/cluster';
import { readProcesses } from '@tabletop-relay/database';
import type { Database, RunningProcess } from '@tabletop-relay/database';
import type { SettingsOf } from '@tabletop-relay/process';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { Type } from 'typebox';
import { readInstances } from './read-instances.ts';
import type { RunningInstance } from './read-instances.ts';
import type { MeasuredLoad } from './read-load.ts';

export const reportSettings = {
  instanceReportMs: Type.Integer({
    minimum: 100,
    maximum: 10_000,
    default: 5_000,
    description:
      'How often an instance writes that it runs, and reads whether an operator wants it to drain. Three times as long without a word, and unknown to Redis: it was killed, and another records the ends of its connections.',
    unit: 'ms',
  }),
};

/** An instance that reported nothing for so long may be gone. Two reports may be missed before. */
export const silentAfterMs = ({ instanceReportMs }: SettingsOf<typeof reportSettings>): number =>
  3 * instanceReportMs;

/** Instances that have ended stay among the names until there are so many. */
const mostNames = 1_000;

/** What an instance writes of itself. */
export interface InstanceFacts {
  worlds: number;
  load: MeasuredLoad;
}

export interface InstanceReportsDeps {
  db: Database;
  boot: string;
  instanceId: string;
  version: string;
  /** The connections to Postgres that this instance takes at most. */
  databaseConnections: number;
  keyIds: readonly string[];
  readings: Cluster['readings'];
  settings: SettingsOf<typeof reportSettings>;
  log: Pick<Logger, 'warn'>;
  facts(): Promise<InstanceFacts>;
  /** Called once, when an operator asks for it. */
  onDrainAsked(): void;
  /** Called after each report, with the instances that run. */
  onReport(running: readonly RunningInstance[]): void;
  /** Called where Postgres took no report. */
  onFailure(): void;
}

export interface InstanceReports {
  /** Resolves when this instance is known to the others. */
  start(): Promise<void>;
  /** The name of an instance, as its last report told it; the boot id of one that is not known. */
  nameOf(boot: string): string;
  /** Postgres did not take the last report. */
  isDatabaseAway(): boolean;
  /** How many other instances and workers that run lack the secret with which this one seals. */
  lackingSecret(): number;
  /** Takes this instance off the list. */
  stop(): Promise<void>;
}

/** Tells the other instances and the command line what runs. Nothing that a call needs hangs on it. */
export function createInstanceReports(deps: InstanceReportsDeps): InstanceReports {
  const { db, boot, log } = deps;
  let isAsked = false;
  /** The last report failed, and a line said so: Postgres may be away for long. */
  let isLogged = false;
  const others = watchOthers(deps);
  const silent = new Set<string>();
  const names = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let reporting: Promise<void> = Promise.resolve();

  async function report(): Promise<void> {
    await writeReport(deps);
    const running = await readInstances(db);
    deps.onReport(running);
    noteNames(running);
    tellSilent(running);
    others.look(running, await readProcesses(db));
    const own = running.find((instance) => instance.boot === boot);
    if (!own?.drainAskedAt || isAsked) return;
    isAsked = true;
    deps.onDrainAsked();
  }

  /** Of one that has ended, too: refusals speak of it for a while. */
  function noteNames(running: readonly RunningInstance[]): void {
    if (names.size > mostNames) names.clear();
    for (const one of running) names.set(one.boot, one.instanceId);
  }

  /** Says once of an instance that it went without a word: one that stops takes itself off the list. */
  function tellSilent(running: readonly RunningInstance[]): void {
    for (const { boot: other, instanceId, worlds, silentMs } of running) {
      if (silentMs <= silentAfterMs(deps.settings)) silent.delete(other);
      else if (!silent.has(other)) {
        silent.add(other);
        log.warn({ silentInstance: instanceId, worlds, silentMs }, 'an instance reports nothing any more');
      }
    }
    const listed = new Set(running.map((one) => one.boot));
    for (const other of silent) if (!listed.has(other)) silent.delete(other);
  }

  /** Postgres may be away: then nothing is reported, and nothing shed. */
  async function reportAgain(): Promise<void> {
    await report().then(
      () => void (isLogged = false),
      (error: unknown) => {
        if (!isLogged) log.warn({ err: error }, 'this instance could not report itself');
        isLogged = true;
        deps.onFailure();
      },
    );
    timer?.refresh();
  }

  return {
    nameOf: (other) => names.get(other) ?? other,
    isDatabaseAway: () => isLogged,
    lackingSecret: others.lackingSecret,
    async start() {
      await reportAgain();
      timer = setTimeout(() => {
        reporting = reportAgain();
      }, deps.settings.instanceReportMs).unref();
    },
    async stop() {
      clearTimeout(timer);
      timer = undefined;
      await reporting;
      await db.deleteFrom('instances').where('boot', '=', boot).execute();
    },
  };
}

/** The reports of others may come after ours when Postgres is back: so many looks in a row see no worker before a line says so. */
const looksWithoutWorker = 3;

/** Logs once, at a change, what the other processes lack. */
export function watchOthers({ keyIds, log }: Pick<InstanceReportsDeps, 'keyIds' | 'log'>) {
  const [newest = ''] = keyIds;
  /** The names of instances and workers that lack the secret with which this one seals. */
  let lacking: string[] = [];
  /** Looks in a row that saw no worker; without end until one has seen any. */
  let missed = Infinity;
  return {
    lackingSecret: () => lacking.length,
    look(running: readonly RunningInstance[], processes: readonly RunningProcess[]) {
      const lacked = lacking.length > 0;
      lacking = [...running, ...processes.filter(isGivenSecret)]
        .filter((one) => !one.keyIds.includes(newest))
        .map(({ instanceId }) => instanceId);
      missed = processes.some(({ kind }) => kind === 'worker') ? 0 : missed + 1;
      if (lacking.length > 0 && !lacked)
        log.warn(
          { lacking },
          'RELAY_SECRET differs: other instances or workers cannot open what this one seals. `pnpm admin secrets` says which has another',
        );
      // Calls go on without one, so that nobody would see it.
      if (missed === looksWithoutWorker)
        log.warn('no worker reports any more: nothing is notified, rolled up or deleted until one runs');
    },
  };
}

/** Browser hosts open nothing. */
export const isGivenSecret = ({ keyIds }: RunningProcess): boolean => keyIds.length > 0;

/** A hold of this instance stays. The row is deleted a day after its last report, like one that was written for a hold. */
async function writeReport(deps: InstanceReportsDeps): Promise<void> {
  const { worlds, load } = await deps.facts();
  const values = {
    instanceId: deps.instanceId,
    version: deps.version,
    worlds,
    databaseConnections: deps.databaseConnections,
    keyIds: [...deps.keyIds],
    redis: JSON.stringify(deps.readings()),
    load: JSON.stringify(load),
    reportedAt: sql<Date>`now()`,
    seenAt: sql<Date>`now()`,
  };
  await deps.db
    .insertInto('instances')
    .values({ boot: deps.boot, ...values, heldUntil: sql<Date>`now()` })
    .onConflict((conflict) =>
      conflict
        .column('boot')
        .doUpdateSet({ ...values, heldUntil: sql<Date>`greatest(instances.held_until, now())` }),
    )
    .execute();
}
