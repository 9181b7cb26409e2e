export { connectDatabase } from './connect.ts';
export type { ConnectOptions, Database } from './connect.ts';
export { findRunningServer } from './data-folder.ts';
export { startEmbeddedPostgres } from './embedded-postgres.ts';
export type { EmbeddedPostgres, EmbeddedPostgresOptions } from './embedded-postgres.ts';
export { checkVersion, migrateToLatest, readVersion, SchemaVersionError } from './migrate.ts';
export type { SchemaVersion } from './migrate.ts';
export * from './tables.ts';
