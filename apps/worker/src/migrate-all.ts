import { migrateToLatest } from '@tabletop-relay/database';
import { migrateJobs } from '@tabletop-relay/jobs';
import type { Logger } from 'pino';
import type { WorkerConfig } from './config.ts';

interface MigrateAllOptions {
  config: Pick<WorkerConfig, 'databaseUrl' | 'migrateDatabaseUrl' | 'redisUrl' | 'jobsRedisUrl'>;
  /** The role of DATABASE_URL. */
  role: string;
  log: Pick<Logger, 'warn'>;
}

/** Migrates the tables, and the job queue if it is in Postgres. Grants the role its rights on both. */
export async function migrateAll({ config, role, log }: MigrateAllOptions): Promise<string[]> {
  const url = config.migrateDatabaseUrl ?? config.databaseUrl;
  const applied = await migrateToLatest({ url, log, grantTo: role });
  if (config.jobsRedisUrl === undefined && config.redisUrl.length === 0) {
    await migrateJobs({ url, grantTo: role });
  }
  return applied;
}
