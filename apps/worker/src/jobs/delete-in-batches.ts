import type { Database, Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

const batchSize = 5_000;

export interface Deletion {
  table: keyof Tables;
  where: RawBuilder<boolean>;
  /** Ends the deletion between two batches. */
  signal: AbortSignal;
}

/**
 * Deletes rows in batches, which hold no lock for long. All of them at once might take longer than a statement may, and then
 * every later run would have more to delete. Returns the number of deleted rows.
 */
export async function deleteInBatches(db: Database, { table, where, signal }: Deletion): Promise<number> {
  let total = 0;
  let count: number;
  do {
    signal.throwIfAborted();
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${where}
        limit ${batchSize} for update skip locked))`.execute(db);
    count = Number(numAffectedRows);
    total += count;
  } while (count === batchSize);
  return total;
}
