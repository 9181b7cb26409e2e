export { ConfigError, describeConfig, readConfig } from './settings/config.ts';
export type { Config, Environment, SettingRow } from './settings/config.ts';
export { isLoopbackHost } from './settings/loopback.ts';
export { createLogger } from './log/logger.ts';
export type { Logger, LoggerOptions } from './log/logger.ts';
export { createMetrics } from './metrics.ts';
export { createPostgresCheck, createReadiness } from './start/postgres-check.ts';
export type { PostgresState, Readiness } from './start/postgres-check.ts';
export { createQueueMetrics } from './queue-metrics.ts';
export type { QueueDepth } from './queue-metrics.ts';
export { startOpsServer } from './ops-server.ts';
export type { OpsServer, OpsServerOptions } from './ops-server.ts';
export { removedSettings } from './settings/removed-settings.ts';
export type { Reread } from './settings/secret-files.ts';
export { bytes, count, milliseconds, port, redisAddress, secret, secrets } from './settings/setting.ts';
export type { SettingsOf } from './settings/setting.ts';
export { nameOfHost } from './name-of-host.ts';
export { version } from './version.ts';
export {
  databaseSettings,
  mailSettings,
  processSettings,
  redisSettings,
} from './settings/shared-settings.ts';
export { CannotStart, reaching } from './start/cannot-start.ts';
export { explainListening } from './start/listening.ts';
export type { Listening } from './start/listening.ts';
export { reasonOf } from './start/reason.ts';
export { runProcess } from './start/run-process.ts';
export type { ProcessOptions, ProcessTools } from './start/run-process.ts';
export { readSettings } from './start/start-or-tell.ts';
export { cureOfPostgres, cureOfRedis, unreachablePostgres } from './start/store-cures.ts';
export { createShutdown } from './shutdown.ts';
export type { Shutdown, ShutdownOptions } from './shutdown.ts';
export { checkTransport, transportSettings, warnOfTransport } from './settings/transport.ts';
export type { TransportConfig } from './settings/transport.ts';
