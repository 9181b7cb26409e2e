import { sql } from 'kysely';
import type { Database } from './connect.ts';

/** Processes beside the relays that Postgres is to know of. */
type ReportedProcess = 'worker' | 'browser-host';

const reportMs = 5_000;
/** A process that has not reported for so long is gone. */
const silentS = 30;
/** Lists stay bounded while processes start and crash in a loop. */
const mostListed = 1_000;

interface ProcessReportsOptions {
  db: Database;
  kind: ReportedProcess;
  boot: string;
  /** For people: the name that the lines of its log have. */
  instanceId: string;
  /** The ids of the keys of RELAY_SECRET, that of the first value first; none for a process that is not given it. */
  keyIds?: readonly string[];
  log: { warn(fields: object, message: string): void };
}

/** A worker or a browser host as it reported itself last. */
export interface RunningProcess {
  kind: ReportedProcess;
  instanceId: string;
  /** Empty for one that is not given RELAY_SECRET. */
  keyIds: string[];
}

export interface ProcessReports {
  /** Takes the process off the list. Never rejects. */
  stop(): Promise<void>;
}

/**
 * Writes every five seconds into `instances` that this process runs, without `reported_at`, which relays alone have. A row stays
 * for a day after its last report. A line says once that a relay seals with a secret that this process lacks.
 */
export function startProcessReports(options: ProcessReportsOptions): ProcessReports {
  const { db, boot, log } = options;
  let reporting = Promise.resolve();
  /** Postgres may be away for long: one line of it does. */
  let isLogged = false;
  let foreign: string[] = [];
  const report = async () => {
    await writeReport(options);
    const before = foreign;
    foreign = await readForeignRelays(options);
    if (foreign.length > 0 && before.length === 0)
      log.warn(
        { relays: foreign },
        'RELAY_SECRET differs: this process cannot open what relays seal. Give it the value of the relays: `pnpm admin secrets` compares them',
      );
  };
  const reportAgain = () => {
    reporting = report().then(
      () => void (isLogged = false),
      (error: unknown) => {
        if (!isLogged) log.warn({ err: error }, 'this process could not report itself');
        isLogged = true;
      },
    );
    void reporting.finally(() => timer.refresh());
  };
  const timer = setTimeout(reportAgain, reportMs).unref();
  reportAgain();
  return {
    async stop() {
      clearTimeout(timer);
      await reporting;
      clearTimeout(timer);
      await db
        .deleteFrom('instances')
        .where('boot', '=', boot)
        .execute()
        .catch(() => {});
    },
  };
}

async function writeReport({
  db,
  kind,
  boot,
  instanceId,
  keyIds = [],
}: ProcessReportsOptions): Promise<void> {
  await db
    .insertInto('instances')
    .values({
      boot,
      instanceId,
      heldUntil: sql<Date>`now()`,
      keyIds: [...keyIds],
      load: JSON.stringify({ process: kind }),
    })
    .onConflict((conflict) => conflict.column('boot').doUpdateSet({ seenAt: sql<Date>`now()` }))
    .execute();
}

/** The relays that run and seal with what this process cannot open; none for a process that opens nothing. */
async function readForeignRelays({ db, keyIds = [] }: ProcessReportsOptions): Promise<string[]> {
  if (keyIds.length === 0) return [];
  const { rows } = await sql<{ instanceId: string }>`
    select instance_id from instances
    where reported_at > now() - ${silentS} * interval '1 s' and key_ids[1] <> all(${[...keyIds]}::text[])
    order by instance_id limit ${mostListed}`.execute(db);
  return rows.map(({ instanceId }) => instanceId);
}

/** The workers and browser hosts that have reported lately, by their names. */
export async function readProcesses(db: Database): Promise<RunningProcess[]> {
  const { rows } = await sql<RunningProcess>`
    select load ->> 'process' as kind, instance_id, key_ids from instances
    where load ? 'process' and seen_at > now() - ${silentS} * interval '1 s'
    order by instance_id limit ${mostListed}`.execute(db);
  return rows;
}

/** How many of each have reported lately. */
export async function countProcesses(db: Database): Promise<Record<ReportedProcess, number>> {
  const running = await readProcesses(db);
  const of = (kind: ReportedProcess) => running.filter((one) => one.kind === kind).length;
  return { worker: of('worker'), 'browser-host': of('browser-host') };
}
