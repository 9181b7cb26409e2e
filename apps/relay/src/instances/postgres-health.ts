import { tryWriting } from '@tabletop-relay/database';
import type { Database } from '@tabletop-relay/database';
import { createPostgresCheck } from '@tabletop-relay/process';
import type { PostgresState } from '@tabletop-relay/process';
import type { CallLog } from '../call-log/call-log.ts';
import type { Records } from '../records/records.ts';

/** As `PostgresState`; `degraded`: it says that it takes writes, and records wait, for its disk is full or it is too slow. */
export type PostgresHealth = PostgresState | 'degraded';

export interface PostgresHealthDeps {
  db: Database;
  records: Pick<Records, 'isDatabaseAway'>;
  callLog: Pick<CallLog, 'isDatabaseAway'>;
}

/** Tells how Postgres serves this instance. May be asked at any rate. */
export function createPostgresHealth({
  db,
  records,
  callLog,
}: PostgresHealthDeps): () => Promise<PostgresHealth> {
  const check = createPostgresCheck(() => tryWriting(db));
  return async () => {
    const state = await check();
    return state === 'up' && (records.isDatabaseAway() || callLog.isDatabaseAway()) ? 'degraded' : state;
  };
}
