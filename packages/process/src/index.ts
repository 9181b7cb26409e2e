export { ConfigError, describeConfig, readConfig } from './config.ts';
export type { Environment, SettingRow } from './config.ts';
export { createLogger } from './logger.ts';
export type { Logger, LoggerOptions } from './logger.ts';
export { createMetrics } from './metrics.ts';
export { startOpsServer } from './ops-server.ts';
export type { OpsServer, OpsServerOptions } from './ops-server.ts';
export { createShutdown } from './shutdown.ts';
export type { Shutdown, ShutdownOptions } from './shutdown.ts';
