import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  appRole,
  asAppRole,
  createAppRole,
  migrateToLatest,
  startEmbeddedPostgres,
} from '@tabletop-relay/database';
import type { PostgresBinaries } from '@tabletop-relay/database';
import { Client } from 'pg';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
    /** A Python with what the Python SDK needs; empty where its tests cannot run. */
    python: string;
  }
}

const quiet = { warn: () => {} };

/** The migrated database that is copied for each test file. */
export const templateName = 'migrated';

/** A private server with a migrated database, for tests that break it. */
export interface TestPostgres {
  readonly url: string;
  /** Connects as the owner of the tables, for statements that the relay's role may not run. */
  readonly ownerUrl: string;
  /** For a fault proxy, since the server listens on a Unix socket only. */
  readonly socketPath: string;
  /** Changes with each restart. */
  readonly pid: number;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
  /** Kills the server (`kill -9`). The data stay. */
  kill(): Promise<void>;
  /** Kills the server if it runs, and starts it at the same URL on the same data. */
  restart(): Promise<void>;
}

interface TestPostgresOptions {
  /** Asks every role for its password, except the owner of the tables. Unless told, nobody is asked. */
  asksPasswords?: boolean;
  /** Those of another PostgreSQL than the one from npm. */
  binaries?: PostgresBinaries;
}

/** Starts a private PostgreSQL for a test that breaks it. `createTestDatabase` is faster for all other tests. */
export async function startPostgres(options: TestPostgresOptions = {}): Promise<TestPostgres> {
  const { asksPasswords = false, binaries } = options;
  const home = mkdtempSync(path.join(os.tmpdir(), 'relay-test-'));
  const socketDir = path.join(home, 'socket');
  const hbaFile = path.join(home, 'pg_hba.conf');
  writeFileSync(hbaFile, 'local all postgres trust\nlocal all all scram-sha-256\n');
  const settings = { fsync: 'off', ...(asksPasswords && { hba_file: hbaFile }) };
  const start = () =>
    startEmbeddedPostgres({
      dataDir: path.join(home, 'data'),
      socketDir,
      settings,
      ...(binaries && { binaries }),
    });
  let server = await start();
  await migrateForApp(server.url);
  const kill = async () => {
    killProcess(server.pid);
    await server.exited;
  };
  return {
    url: asAppRole(server.url),
    ownerUrl: server.url,
    socketPath: path.join(socketDir, '.s.PGSQL.5432'),
    get pid() {
      return server.pid;
    },
    kill,
    async stop() {
      await server.stop();
      rmSync(home, { recursive: true, force: true });
    },
    async restart() {
      await kill();
      server = await start();
    },
  };
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Migrates a database and creates the role that the relay runs under. */
export async function migrateForApp(url: string): Promise<void> {
  await createAppRole({ url, log: quiet });
  await migrateToLatest({ url, log: quiet, grantTo: appRole });
}

export interface TestDatabase {
  /** Connects as the role that the relay runs under, so that tests pass with its rights. */
  url: string;
  /** Connects as the owner of the tables. */
  ownerUrl: string;
  /** The role of `url`. */
  role: string;
  drop(): Promise<void>;
}

/** Creates a migrated, empty database on the server that all test files share. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('postgresUrl');
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  await execute(server, `create database ${name} template ${templateName}`);
  const ownerUrl = withDatabase(server, name);
  return {
    url: asAppRole(ownerUrl),
    ownerUrl,
    role: appRole,
    drop: () => execute(server, `drop database if exists ${name} with (force)`),
  };
}

/** Returns the URL of the same database for the owner of its tables. */
export function asOwner(url: string): string {
  return url.replace(`//${appRole}@`, '//postgres@');
}

export function withDatabase(url: string, name: string): string {
  return url.replace('@/postgres?', `@/${name}?`);
}

export async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
