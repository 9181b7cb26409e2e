import { Type } from 'typebox';
import { port, redisAddress, redisAddresses, secret } from './setting.ts';

/** For every process: how its operator sees it. */
export const processSettings = {
  host: Type.String({ default: '127.0.0.1', description: 'Address to listen on. Images set 0.0.0.0.' }),
  opsPort: Type.Optional(port('Port of `/metrics`, `/livez` and `/readyz`. Not set: none are served.')),
  logLevel: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'The least that is logged.',
  }),
};

/** For every process on the database. All of them are given the same values. */
export const databaseSettings = {
  databaseUrl: Type.Optional(secret('Postgres. Not set: an embedded Postgres under DATA_DIR.')),
  migrateDatabaseUrl: Type.Optional(
    secret(
      'Postgres as the role that owns the tables: migrates, and gives the role of DATABASE_URL its rights. Not set: DATABASE_URL migrates.',
    ),
  ),
  migrate: Type.Boolean({ default: true, description: 'Whether the database is migrated at start.' }),
};

/** For every process that counts limits or reaches other instances. All of them are given the same values. */
export const redisSettings = {
  redisUrl: redisAddresses(
    'Redis. Several are shards: all processes name them in the same order. Not set: one instance on its own, with the job queue in Postgres.',
  ),
  limitsRedisUrl: Type.Optional(
    redisAddress(
      'Redis in which limits are counted, the same for all processes. Not set: the first of REDIS_URL.',
    ),
  ),
};

/** For every process that sends mail. */
export const mailSettings = {
  smtpUrl: Type.Optional(
    secret(
      'Mail server; needs PUBLIC_URL. Not set: no mail; the embedded default logs it instead until PUBLIC_URL is set.',
    ),
  ),
  mailFrom: Type.String({ default: 'Tabletop Relay <relay@localhost>', description: 'Sender of mails.' }),
};
