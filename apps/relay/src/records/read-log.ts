import type { Database } from '@tabletop-relay/database';
import type { RecordTable } from './waiting-rows.ts';

/** A table whose rows belong to accounts and have ids in the order of time. */
export type LogTable = RecordTable | 'callLog' | 'callBodies';

/** The rows of call bodies may be large. */
const rowsPerRead = (table: LogTable): number => (table === 'callBodies' ? 50 : 1_000);

/** The logs in an account's export, in this order. */
export const exportedLogs: readonly RecordTable[] = ['connectionLogs', 'remoteRequestLogs', 'auditLog'];

/** The whole log of an account, newest first. It is read page by page, because it may be long. */
export async function* readLog(db: Database, table: LogTable, accountId: string): AsyncGenerator<object[]> {
  const newest = db
    .selectFrom(table)
    .selectAll()
    .where('accountId', '=', accountId)
    .orderBy('id', 'desc')
    .limit(rowsPerRead(table));
  let rows = await newest.execute();
  while (rows.length > 0) {
    yield rows;
    rows = await newest.where('id', '<', rows.at(-1)?.id ?? '').execute();
  }
}
