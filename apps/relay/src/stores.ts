import {
  connectDatabase,
  checkVersion,
  migrateToLatest,
  startEmbeddedPostgres,
} from '@tabletop-relay/database';
import type { Database } from '@tabletop-relay/database';
import type { Logger } from 'pino';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RelayConfig } from './config.ts';

/** What an instance keeps its facts in, and the way to let go of it. */
export interface Stores {
  db: Database;
  databaseUrl: string;
  close(): Promise<void>;
}

/** Connects to Postgres, starting the embedded one where none is named, and migrates it. */
export async function openStores(config: RelayConfig, log: Logger): Promise<Stores> {
  const embedded = config.databaseUrl
    ? undefined
    : await startEmbeddedPostgres({ dataDir: path.join(config.dataDir, 'postgres') });
  const databaseUrl = config.databaseUrl ?? (embedded as { url: string }).url;
  try {
    if (config.migrate) {
      const applied = await migrateToLatest({ url: databaseUrl, log });
      if (applied.length > 0) log.info({ applied }, 'database migrated');
    }
    const db = connectDatabase({ url: databaseUrl, poolSize: config.databasePool, log });
    await checkVersion(db);
    const close = async () => {
      await db.destroy();
      await embedded?.stop();
    };
    return { db, databaseUrl, close };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

/** RELAY_SECRET; in the embedded default one is made once and kept beside the data. */
export function readSecret(config: RelayConfig): string {
  if (config.relaySecret) return config.relaySecret;
  const file = path.join(config.dataDir, 'relay-secret');
  mkdirSync(config.dataDir, { recursive: true });
  try {
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8');
}
