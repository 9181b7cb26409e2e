export { columnName, storable, storableText, toColumns } from './rows-as-json.ts';
export {
  connectDatabase,
  isDatabaseAway,
  reachDatabase,
  readPool,
  takesNoWrites,
  tryWriting,
} from './connect.ts';
export type { ConnectOptions, Database } from './connect.ts';
export { findRunningServer } from './data-folder.ts';
export { startEmbeddedPostgres } from './embedded-postgres.ts';
export type { EmbeddedPostgres, EmbeddedPostgresOptions } from './embedded-postgres.ts';
export { newId } from './id.ts';
export { createListener } from './listener.ts';
export type { Listener, ListenerOptions } from './listener.ts';
export { checkVersion, migrateToLatest, readVersion, SchemaVersionError } from './migrate.ts';
export type { MigrateOptions, SchemaVersion } from './migrate.ts';
export type { PostgresBinaries } from './postgres-binaries.ts';
export { countProcesses, readProcesses, startProcessReports } from './process-reports.ts';
export type { ProcessReports, RunningProcess } from './process-reports.ts';
export { appRole, asAppRole, createAppRole, ownsTables, readRole } from './roles.ts';
export { createSealer, keyIdLength, newSealKey, openUnder, readRelaySecrets, sealUnder } from './seal.ts';
export type { RelaySecrets, Sealer } from './seal.ts';
export { StartError } from './start-error.ts';
export * from './tables.ts';
