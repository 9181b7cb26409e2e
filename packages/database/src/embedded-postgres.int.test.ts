import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

let dataDir: string;

beforeEach(() => {
  dataDir = path.join(mkdtempSync(path.join(os.tmpdir(), 'relay-embedded-')), 'postgres');
});
afterEach(() => rmSync(path.dirname(dataDir), { recursive: true, force: true }));

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

test('what was written is there after a restart, and nobody else can reach the server', async () => {
  const first = await startEmbeddedPostgres({ dataDir });
  const socketDir = decodeURIComponent(first.url.split('host=')[1]!);
  expect(statSync(socketDir).mode & 0o077).toBe(0);
  expect(await query(first.url, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
  await query(first.url, 'create table kept (value int); insert into kept values (1)');
  await first.stop();
  expect(existsSync(socketDir)).toBe(false);
  // After a crash the lock file may name another program, since process ids repeat. Our own id stands for one.
  writeFileSync(path.join(dataDir, 'postmaster.pid'), `${process.pid}\n`);

  const second = await startEmbeddedPostgres({ dataDir });
  expect(await query(second.url, 'select value from kept')).toEqual([{ value: 1 }]);
  await second.stop();
});

test('data of another major version are refused with what to do', async () => {
  await startEmbeddedPostgres({ dataDir }).then((server) => server.stop());
  writeFileSync(path.join(dataDir, 'PG_VERSION'), '12\n');
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
    /was written by PostgreSQL 12, this is PostgreSQL \d+: .*DATABASE_URL/,
  );
});

test('the server outlives an interrupt of its parent’s group, and not the parent', async () => {
  const module = new URL('./embedded-postgres.ts', import.meta.url).href;
  const script = `
    process.on('SIGINT', () => {});
    const { startEmbeddedPostgres } = await import(${JSON.stringify(module)});
    const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} });
    setInterval(() => {}, 1000);
    console.log(JSON.stringify({ url: server.url, pid: server.pid }));`;
  const args = ['--input-type=module', '-e', script];
  const parent = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  onTestFinished(() => void parent.kill('SIGKILL'));
  let output = '';
  parent.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await vi.waitFor(() => expect(output).toContain('\n'), { timeout: 15_000 });
  const { url, pid } = JSON.parse(output) as { url: string; pid: number };

  process.kill(-parent.pid!, 'SIGINT');
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  parent.kill('SIGKILL');
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeout: 10_000 });
});
