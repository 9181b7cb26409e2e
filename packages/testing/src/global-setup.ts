import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '@tabletop-relay/database';
import type { EmbeddedPostgres } from '@tabletop-relay/database';
import type { TestProject } from 'vitest/node';
import { findPython } from './processes/python.ts';
import { fetchMissingPrograms } from './stores/debian-program.ts';
import { execute, migrateForApp, templateName, withDatabase } from './stores/postgres.ts';

interface SharedServer {
  server: EmbeddedPostgres;
  home: string;
  python: string;
}

/** Vitest loads this file once per project, and all projects share one server. */
const shared = globalThis as { testPostgres?: Promise<SharedServer>; testPostgresUsers?: number };

/** Starts the server on which `createTestDatabase` creates databases, and fetches the programs that tests run and what Python needs. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.testPostgresUsers = (shared.testPostgresUsers ?? 0) + 1;
  shared.testPostgres ??= startSharedServer();
  const { server, home, python } = await shared.testPostgres;
  project.provide('postgresUrl', server.url);
  project.provide('python', python);
  return async () => {
    shared.testPostgresUsers = (shared.testPostgresUsers ?? 1) - 1;
    if (shared.testPostgresUsers > 0) return;
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  };
}

async function startSharedServer(): Promise<SharedServer> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'relay-tests-'));
  // The data need not survive a crash, and each test worker opens a pool or two.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '400',
  };
  const [server, python] = await Promise.all([
    startEmbeddedPostgres({ dataDir: path.join(home, 'data'), settings }),
    findPython(),
    fetchMissingPrograms(),
  ]);
  await execute(server.url, `create database ${templateName}`);
  await migrateForApp(withDatabase(server.url, templateName));
  return { server, home, python };
}
