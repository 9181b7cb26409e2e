import { findDebianPostgres, findFreePort, startPostgres } from '@tabletop-relay/testing';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { call, createAccount } from '../account.ts';
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

/** As docs/operations/backup.md has it. */
it('a database is dumped while the relay runs, wiped and restored, and every credential works', async () => {
  const debian = await findDebianPostgres();
  const postgres = await startPostgres({ binaries: debian.binaries });
  onTestFinished(() => postgres.stop());
  const dump = path.join(newFolder(), 'relay.dump');
  const first = await startInstances({ databaseUrl: postgres.url });
  const [{ url }] = first.instances;
  const { account, use } = await makeEveryCredential(url);
  const revoked = await account.createKey();
  await debian.run('pg_dump', ['--format=custom', `--file=${dump}`, postgres.ownerUrl]);
  const later = await createAccount(url);
  const keys = (await account.as('GET', '/auth/api-keys?limit=10')).body['items'] as { id: string }[];
  for (const { id } of keys) expect((await account.as('DELETE', `/auth/api-keys/${id}`)).status).toBe(200);
  await first.stop();

  await wipe(postgres.ownerUrl);
  await debian.run('pg_restore', ['--no-owner', '--no-acl', `--dbname=${postgres.ownerUrl}`, dump]);
  const env = { ...process.env, DATABASE_URL: postgres.url, MIGRATE_DATABASE_URL: postgres.ownerUrl };
  await run(process.execPath, [migrate], { env: { ...env, RELAY_SECRET: 'x'.repeat(32) } });

  const second = await startInstances({ databaseUrl: postgres.url });
  onTestFinished(() => second.stop());
  const at = second.instances[0].url;
  expect(await use(at)).toEqual(good);
  const statusWith = async (apiKey: string) =>
    (await call(at, 'GET', '/clients', { headers: { 'x-api-key': apiKey } })).status;
  // What was revoked after the backup is back, and what was made after it is not.
  expect(await statusWith(revoked)).toBe(200);
  expect(await statusWith(later.masterKey)).toBe(401);
}, 60_000);

/** The database is dropped and made anew, empty. */
async function wipe(ownerUrl: string): Promise<void> {
  const client = new Client({ connectionString: ownerUrl.replace('@/postgres?', '@/template1?') });
  await client.connect();
  await client.query('drop database postgres with (force)');
  await client.query('create database postgres');
  await client.end();
}

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
