import type { Database } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { isDataError } from '../records/insert.ts';
import type { CallRow } from './call-row.ts';
import { addCounts, insertCalls } from './insert-calls.ts';
import { isHour, isMinute, isRow } from './waiting-calls.ts';
import type { Entry } from './waiting-calls.ts';

interface WriteCallsDeps {
  db: Database;
  instanceId: string;
  log: Logger;
  now: () => number;
}

/** Writes a batch of calls and counts. Rejects where Postgres takes none; the batch may then be written again. */
export function createWriteCalls({ db, instanceId, log, now }: WriteCallsDeps) {
  const ensurePartitions = createEnsurePartitions(now);
  return async (batch: readonly Entry[]): Promise<void> => {
    await ensurePartitions(db);
    const rows = batch.filter(isRow).map(({ row }) => row);
    await insertWhatFits(db, rows, log);
    const minutes = batch.filter(isMinute).map((count) => ({ ...count, instanceId }));
    await addCounts(db, batch.filter(isHour), minutes);
  };
}

/** One row that Postgres refuses must not hold up the others for ever. */
async function insertWhatFits(db: Database, rows: readonly CallRow[], log: Logger): Promise<void> {
  try {
    await insertCalls(db, rows);
  } catch (error) {
    if (!isDataError(error)) throw error;
    if (rows.length === 1) log.error({ err: error }, 'a call was refused by its log');
    else for (const row of rows) await insertWhatFits(db, [row], log);
  }
}

/** Sees once an hour that there are partitions for the calls to come. */
function createEnsurePartitions(now: () => number) {
  let checkedAt = -Infinity;
  return async (db: Database): Promise<void> => {
    if (now() - checkedAt < 3_600_000) return;
    await sql`select ensure_call_partitions()`.execute(db);
    checkedAt = now();
  };
}
