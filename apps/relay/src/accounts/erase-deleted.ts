import type { Database } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Logger } from 'pino';

export interface EraseDeletedDeps {
  db: Database;
  log: Logger;
}

/**
 * Erases the records that deleted accounts left, a slice in each statement, because all of a busy account's would take longer than a statement
 * may. Never rejects: nobody waits for it. What an instance leaves undone is done after the next deletion and at the next start
 * of any instance.
 */
export async function eraseDeleted({ db, log }: EraseDeletedDeps): Promise<void> {
  try {
    while (await eraseSlice(db));
  } catch (error) {
    log.warn({ err: error }, 'records of deleted accounts are left: they are erased later');
  }
}

/** False where nothing is left, or another instance is at it. */
async function eraseSlice(db: Database): Promise<boolean> {
  const { rows } = await sql<{ erased: boolean }>`select erase_slice_of_deleted() as erased`.execute(db);
  return rows[0]?.erased === true;
}
