import {
  asAppRole,
  checkVersion,
  connectDatabase,
  createAppRole,
  migrateToLatest,
  ownsTables,
  reachDatabase,
  readRelaySecrets,
  readRole,
  startEmbeddedPostgres,
  tryWriting,
} from '@tabletop-relay/database';
import type { Database, RelaySecrets } from '@tabletop-relay/database';
import { reaching } from '@tabletop-relay/process';
import type { Logger } from 'pino';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { vitalPool } from './instances/connections.ts';
import type { RelayConfig } from './config.ts';

/** What an instance keeps its facts in, and the way to let go of it. */
export interface Stores {
  db: Database;
  /**
   * Connections of their own for what must not wait behind anything else: the holds that keep an owner's right to act, and
   * the feed of revoked credentials.
   */
  vitalDb: Database;
  databaseUrl: string;
  /** Connects as the owner of the tables, where that is another role than the relay's own. */
  migrateDatabaseUrl?: string;
  close(): Promise<void>;
}

/** Connects to Postgres, starting the embedded one where none is named, and migrates it. */
export async function openStores(config: RelayConfig, log: Logger): Promise<Stores> {
  if (config.databaseUrl) {
    const { databaseUrl, migrateDatabaseUrl } = config;
    return await connectStores(
      { databaseUrl, ...(migrateDatabaseUrl && { migrateDatabaseUrl }) },
      config,
      log,
    );
  }
  const embedded = await startEmbeddedPostgres({ dataDir: path.join(config.dataDir, 'postgres') });
  try {
    await createAppRole({ url: embedded.url, log });
    const urls = { databaseUrl: asAppRole(embedded.url), migrateDatabaseUrl: embedded.url };
    const stores = await connectStores(urls, config, log);
    const close = async () => {
      await stores.close();
      await embedded.stop();
    };
    return { ...stores, close };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}

async function connectStores(
  urls: Pick<Stores, 'databaseUrl' | 'migrateDatabaseUrl'>,
  { databasePool, migrate, reread }: Pick<RelayConfig, 'databasePool' | 'migrate' | 'reread'>,
  log: Logger,
): Promise<Stores> {
  const { databaseUrl, migrateDatabaseUrl = databaseUrl } = urls;
  const connect = (poolSize: number) =>
    connectDatabase({ url: databaseUrl, poolSize, log, ...(reread && { reread }) });
  const db = connect(databasePool);
  const vitalDb = connect(vitalPool);
  const close = async () => {
    await Promise.all([db.destroy(), vitalDb.destroy()]);
  };
  try {
    await reaching('Postgres', 'DATABASE_URL', () => reachDatabase(db));
    if (migrate) {
      const grantTo = await readRole(db);
      const applied = await reaching('Postgres', 'MIGRATE_DATABASE_URL', () =>
        migrateToLatest({ url: migrateDatabaseUrl, log, grantTo }),
      );
      if (applied.length > 0) log.info({ applied }, 'database migrated');
    }
    await reaching('Postgres', 'DATABASE_URL', async () => {
      await checkVersion(db);
      await tryWriting(db);
    });
    if (await ownsTables(db)) log.warn(ownerWarning);
    return { ...urls, db, vitalDb, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const ownerWarning =
  'the role of DATABASE_URL owns the tables: whoever takes over this process can change the audit log. Give it a ' +
  'role of its own and set MIGRATE_DATABASE_URL, as docs/operations/deploy.md shows';

/** RELAY_SECRET; in the embedded default one is made once and kept beside the data. */
export function readSecrets(config: RelayConfig): RelaySecrets {
  const set = readRelaySecrets(config.relaySecret);
  if (set) return set;
  const file = path.join(config.dataDir, 'relay-secret');
  mkdirSync(config.dataDir, { recursive: true });
  try {
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return [readFileSync(file, 'utf8')];
}
