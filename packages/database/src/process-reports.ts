import { sql } from 'kysely';
import type { Database } from './connect.ts';

/** Processes beside the relays that Postgres is to know of. */
type ReportedProcess = 'worker' | 'browser-host';

const reportMs = 5_000;
/** A process that has not reported for so long is gone. */
const silentS = 30;

interface ProcessReportsOptions {
  db: Database;
  kind: ReportedProcess;
  boot: string;
  log: { warn(fields: object, message: string): void };
}

export interface ProcessReports {
  /** Takes the process off the list. Never rejects. */
  stop(): Promise<void>;
}

/**
 * Writes every five seconds into `instances` that this process runs, without `reported_at`, which relays alone have. A row stays
 * for a day after its last report.
 */
export function startProcessReports({ db, kind, boot, log }: ProcessReportsOptions): ProcessReports {
  let reporting = Promise.resolve();
  /** Postgres may be away for long: one line of it does. */
  let isLogged = false;
  const report = async () => {
    const load = JSON.stringify({ process: kind });
    await sql`
      insert into instances (boot, instance_id, held_until, load)
      values (${boot}, ${kind}, now(), ${load}::jsonb)
      on conflict (boot) do update set seen_at = now()`.execute(db);
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

/** How many of each have reported lately. */
export async function countProcesses(db: Database): Promise<Record<ReportedProcess, number>> {
  const { rows } = await sql<{ kind: string; count: number }>`
    select load ->> 'process' as kind, count(*)::int as count from instances
    where load ? 'process' and seen_at > now() - ${silentS} * interval '1 s' group by 1`.execute(db);
  const of = (kind: ReportedProcess) => rows.find((row) => row.kind === kind)?.count ?? 0;
  return { worker: of('worker'), 'browser-host': of('browser-host') };
}
