import { checkOutbound, outboundSettings } from '@tabletop-relay/outbound';
import {
  checkTransport,
  count,
  databaseSettings,
  mailSettings,
  processSettings,
  redisAddress,
  redisSettings,
  secret,
  secrets,
  transportSettings,
} from '@tabletop-relay/process';
import type { Config } from '@tabletop-relay/process';
import { Type } from 'typebox';
import { checkNotificationSettings, notificationSettings } from './notifications/notification-settings.ts';

const days = (value: number, records: string) =>
  Type.Integer({ minimum: 1, default: value, description: `How long ${records} are kept.`, unit: 'days' });

/** How long each kind of record is kept. */
export const keepSettings = {
  keepConnectionLogDays: days(90, 'connection logs'),
  keepRemoteRequestLogDays: days(30, 'logs of remote requests'),
  keepAuditLogDays: days(365, 'audit logs'),
  keepCallLogDays: days(7, 'calls'),
  keepNotificationDays: days(30, 'notifications'),
};

/** Every setting of a worker. It runs beside relays only, so it needs their Postgres. */
export const WorkerConfigSchema = Type.Object({
  ...databaseSettings,
  databaseUrl: secret('Postgres: the relay’s.'),
  ...redisSettings,
  jobsRedisUrl: Type.Optional(redisAddress('Redis of the job queue. Not set: the first of REDIS_URL.')),
  ...mailSettings,
  publicUrl: Type.Optional(
    Type.String({ pattern: '^https?://[^/]+$', description: 'The relay’s: notifications carry links.' }),
  ),
  relaySecret: secrets('The relay’s: opens the addresses and secrets of webhooks. A worker needs it.', 32),
  ...notificationSettings,
  ...outboundSettings,
  ...transportSettings,
  ...processSettings,
  jobsAtOnce: count(5, 'Jobs that run at once in this process.'),
  ...keepSettings,
});

/** A process that takes longer to stop is ended; its jobs are tried again. */
export const longestStopMs = 60_000;

export type WorkerConfig = Config<typeof WorkerConfigSchema>;

/** Returns the problems that the schema cannot express. */
export function checkWorkerConfig(config: WorkerConfig): string[] {
  const problems = [
    ...(config.relaySecret.length > 0 ? [] : ['RELAY_SECRET is not set: give the worker the relay’s']),
    ...checkNotificationSettings(config),
    ...checkOutbound(config),
    ...checkTransport(config),
  ];
  if (!config.smtpUrl || config.publicUrl) return problems;
  return [...problems, 'PUBLIC_URL is not set and SMTP_URL is: mails carry links'];
}
