import { createJobQueue } from '@tabletop-relay/jobs';
import { execute, findDebianPostgres, findFreePort, startPostgres } from '@tabletop-relay/testing';
import type { DebianPostgres, TestPostgres } from '@tabletop-relay/testing';
import { call, createAccount } from '@tabletop-relay/testing/scenes';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { exampleIn, readPage } from '../../../../docs/markdown-files.ts';
import { startInstances } from '../instances.ts';
import { startRelayProcess } from '../process.ts';
import { good, makeEveryCredential } from './every-credential.ts';

const run = promisify(execFile);
const migrate = fileURLToPath(new URL('../../../worker/src/migrate.ts', import.meta.url));

function newFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'relay-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const page = (name: string) => readPage(`docs/operations/${name}.md`);

/** A server whose databases are not UTF-8 unless they are told to be, as some distributions make them. */
async function startServer(debian: DebianPostgres): Promise<TestPostgres> {
  const postgres = await startPostgres({ binaries: debian.binaries });
  onTestFinished(() => postgres.stop());
  for (const statement of [
    "update pg_database set datistemplate = false where datname = 'template1'",
    'drop database template1',
    "create database template1 template template0 encoding 'SQL_ASCII'",
    "update pg_database set datistemplate = true where datname = 'template1'",
  ])
    await execute(postgres.ownerUrl, statement);
  return postgres;
}

it('a database is dumped while the relay runs, replaced and restored by the lines of the page, and every credential works', async () => {
  const debian = await findDebianPostgres();
  const postgres = await startServer(debian);
  const folder = newFolder();
  const as = (role: string) => postgres.ownerUrl.replace('//postgres@/postgres?', `//${role}@/relay?`);
  const env = {
    ...debian.env,
    // The page's `pnpm migrate`, wherever the folder is.
    migrate: `${process.execPath} ${migrate}`,
    DATABASE_URL: as('relay_app'),
    MIGRATE_DATABASE_URL: as('relay_owner'),
    RELAY_SECRET: 'a secret for tests; long enough.',
  };
  /** An example of the page as its reader pastes it. */
  const paste = (example: string) =>
    run('sh', ['-ec', `pnpm() { [ "$1" = migrate ] && $migrate; }\n${example}`], { cwd: folder, env });
  const asAdministrator = async (statements: string) => {
    for (const statement of statements.split(';')) await execute(postgres.ownerUrl, statement);
  };

  await asAdministrator(exampleIn(page('deploy'), 'roles'));
  await paste('pnpm migrate');
  const first = await startInstances({ databaseUrl: as('relay_app') });
  const [{ url }] = first.instances;
  const { account, use } = await makeEveryCredential(url);
  const revoked = await account.createKey();
  // Without Redis the queue is in Postgres, and what it makes there belongs to the relay's role.
  const queue = createJobQueue({ connection: { databaseUrl: as('relay_app') }, log: { warn: () => {} } });
  await queue.schedule();
  await queue.close();
  await paste(exampleIn(page('backup'), 'dump'));
  const later = await createAccount(url);
  const keys = (await account.as('GET', '/auth/api-keys?limit=10')).body['items'] as { id: string }[];
  for (const { id } of keys) expect((await account.as('DELETE', `/auth/api-keys/${id}`)).status).toBe(200);
  await first.stop();

  await asAdministrator(exampleIn(page('backup'), 'replace'));
  await paste(exampleIn(page('backup'), 'restore'));

  const second = await startInstances({ databaseUrl: as('relay_app') });
  onTestFinished(() => second.stop());
  const at = second.instances[0].url;
  expect(await use(at)).toEqual(good);
  const statusWith = async (apiKey: string) =>
    (await call(at, 'GET', '/clients', { headers: { 'x-api-key': apiKey } })).status;
  // What was revoked after the backup is back, and what was made after it is not.
  expect(await statusWith(revoked)).toBe(200);
  expect(await statusWith(later.masterKey)).toBe(401);
  // The relay's role has its rights and no more.
  await expect(execute(as('relay_app'), 'delete from audit_log')).rejects.toThrow('permission denied');
  await expect(execute(as('relay_app'), 'create schema mine')).rejects.toThrow('permission denied');
}, 120_000);

/** As docs/operations/backup.md has it: owners and times stay. */
const copy = (from: string, to: string) => run('cp', ['-a', from, to]);

it('the folder of the embedded default is copied, lost and put back, and every credential works', async () => {
  const folder = newFolder();
  const [dataDir, backup] = [path.join(folder, 'data'), path.join(folder, 'backup')];
  const port = await findFreePort();
  const start = async () => {
    const relay = await startRelayProcess({
      port,
      instanceId: 'embedded',
      // The secret is made beside the data, and comes back with it.
      env: { DATA_DIR: dataDir, RELAY_SECRET: '', DRAIN_WAIT_MS: '0', DRAIN_SPREAD_MS: '0' },
    });
    onTestFinished(() => void relay.end('SIGKILL'));
    return relay;
  };

  const first = await start();
  const { use } = await makeEveryCredential(first.url);
  await first.end('SIGTERM');
  await copy(dataDir, backup);
  rmSync(dataDir, { recursive: true });
  await copy(backup, dataDir);

  const { url } = await start();
  expect(await use(url)).toEqual(good);
}, 60_000);
