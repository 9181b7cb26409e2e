import { transportSettings } from '@tabletop-relay/process';
import type { Config } from '@tabletop-relay/process';
import { Type } from 'typebox';

const days = (value: number, what: string) =>
  Type.Integer({ minimum: 1, default: value, description: `How long ${what} are kept.`, unit: 'days' });
/** How long each kind of record is kept. */
export const keepSettings = {
  keepConnectionLogDays: days(90, 'connection logs'),
  keepRemoteRequestLogDays: days(30, 'logs of remote requests'),
  keepAuditLogDays: days(365, 'audit logs'),
};

const redis = { pattern: '^rediss?://', secret: true };

/** Every setting of a worker; what it shares with the relay has the relay's name and must have its value. */
export const WorkerConfigSchema = Type.Object({
  databaseUrl: Type.String({ secret: true, description: 'Postgres: the relay’s.' }),
  migrateDatabaseUrl: Type.Optional(
    Type.String({
      secret: true,
      minLength: 1,
      description: 'Postgres as the role that owns the tables: the relay’s. Not set: DATABASE_URL migrates.',
    }),
  ),
  redisUrl: Type.Array(Type.String({ pattern: redis.pattern }), {
    secret: true,
    default: [],
    description: 'Redis: the relay’s. Not set: the queue is in Postgres.',
  }),
  limitsRedisUrl: Type.Optional(
    Type.String({
      ...redis,
      description: 'Redis in which limits are counted. Not set: the first of REDIS_URL.',
    }),
  ),
  jobsRedisUrl: Type.Optional(
    Type.String({ ...redis, description: 'Redis of the job queue. Not set: the first of REDIS_URL.' }),
  ),
  ...transportSettings,
  host: Type.String({ default: '127.0.0.1', description: 'Address of the metrics. Images set 0.0.0.0.' }),
  opsPort: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65_535,
      description: 'Port of `/metrics`, `/livez` and `/readyz`. Not set: none are served.',
    }),
  ),
  logLevel: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'The least that is logged.',
  }),
  migrate: Type.Boolean({ default: true, description: 'Whether the database is migrated at start.' }),
  jobsAtOnce: Type.Integer({ minimum: 1, default: 5, description: 'Jobs that run at once in this process.' }),
  ...keepSettings,
});

export type WorkerConfig = Config<typeof WorkerConfigSchema>;
