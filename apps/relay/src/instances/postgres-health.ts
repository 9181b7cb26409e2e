import { tryWriting } from '@tabletop-relay/database';
import type { Database } from '@tabletop-relay/database';
import { createPostgresCheck } from '@tabletop-relay/process';
import type { PostgresState } from '@tabletop-relay/process';

/** As `PostgresState`; `degraded`: it says that it takes writes, and records wait, for its disk is full or it is too slow. */
export type PostgresHealth = PostgresState | 'degraded';

export interface PostgresHealthDeps {
  db: Database;
  /** What writes, and knows when that waits or failed. */
  writers: readonly { isDatabaseAway(): boolean }[];
}

/** Tells how Postgres serves this instance. May be asked at any rate. */
export function createPostgresHealth({ db, writers }: PostgresHealthDeps): () => Promise<PostgresHealth> {
  const check = createPostgresCheck(() => tryWriting(db));
  return async () => {
    const state = await check();
    return state === 'up' && writers.some((writer) => writer.isDatabaseAway()) ? 'degraded' : state;
  };
}
