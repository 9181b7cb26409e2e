import type { Tables } from '@tabletop-relay/database';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { insertRows, isDataError } from './insert.ts';
import type { Entry } from './waiting-rows.ts';

/** Inserts what it can: one row that Postgres refuses must not hold up the others for ever. */
export async function insertEntries(db: Kysely<Tables>, batch: readonly Entry[], log: Logger): Promise<void> {
  for (const [table, entries] of Map.groupBy(batch, (entry) => entry.table)) {
    const rows = entries.map((entry) => entry.row);
    try {
      await insertRows(db, table, rows);
    } catch (error) {
      if (!isDataError(error)) throw error;
      if (batch.length === 1) log.error({ err: error, table }, 'a record was refused');
      else for (const entry of entries) await insertEntries(db, [entry], log);
    }
  }
}
