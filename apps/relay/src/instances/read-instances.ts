import type { RedisReading } from '@tabletop-relay/cluster';
import type { Database } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { MeasuredLoad } from './read-load.ts';

/** An instance as it reported itself last. */
export interface RunningInstance {
  boot: string;
  instanceId: string;
  version: string;
  worlds: number;
  databaseConnections: number;
  keyIds: string[];
  /** By the place of the shard in `REDIS_URL`: empty without Redis; null for a version that does not tell. */
  redis: Record<string, RedisReading> | null;
  isDraining: boolean;
  load: MeasuredLoad;
  drainAskedAt: Date | null;
  reportedAt: Date;
  /** Since its last report, by the clock of Postgres. */
  silentMs: number;
}

/** An instance that has not reported for so long is gone: several times the longest interval that makes sense. */
const silentS = 30;
/** More instances than anybody runs. The list stays bounded while instances start and crash in a loop. */
const maxListed = 1_000;

/** The instances that run, by their names. Those of the release before this one report nothing and are not listed. */
export async function readInstances(db: Database): Promise<RunningInstance[]> {
  const rows = await db
    .selectFrom('instances')
    .select(['boot', 'instanceId', 'version', 'worlds', 'databaseConnections', 'keyIds'])
    .select(sql<RunningInstance['redis']>`redis`.as('redis'))
    .select(sql<number>`(extract(epoch from now() - reported_at) * 1000)::int`.as('silentMs'))
    .select(['drainAskedAt', sql<Date>`reported_at`.as('reportedAt'), sql<MeasuredLoad>`load`.as('load')])
    .where('reportedAt', '>', sql<Date>`now() - ${silentS} * interval '1 s'`)
    .orderBy('instanceId')
    .orderBy('boot')
    .limit(maxListed)
    .execute();
  return rows.map((row) => ({ ...row, isDraining: row.load.state === 'draining' }));
}

/** Asks an instance to drain and end. It does within its next report. */
export async function askToDrain(db: Database, boot: string): Promise<void> {
  await db
    .updateTable('instances')
    .set({ drainAskedAt: sql<Date>`now()` })
    .where('boot', '=', boot)
    .execute();
}
