import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { StartError } from './start-error.ts';
import type { Unprivileged } from './unprivileged.ts';

/** Creates a database cluster, or checks the existing one. An interrupted start leaves no incomplete cluster. */
export function prepareDataFolder(dataDir: string, binaries: PostgresBinaries, user: Unprivileged): void {
  if (!existsSync(path.join(dataDir, 'PG_VERSION'))) create(dataDir, binaries, user);
  const major = readFileSync(path.join(dataDir, 'PG_VERSION'), 'utf8').trim();
  if (major !== binaries.major) {
    throw new StartError(
      `${dataDir} was written by PostgreSQL ${major}, this is PostgreSQL ${binaries.major}: dump it with ` +
        `${major} and restore, choose another DATA_DIR, or set DATABASE_URL`,
    );
  }
  user.own(dataDir);
}

function create(dataDir: string, binaries: PostgresBinaries, user: Unprivileged): void {
  mkdirSync(path.dirname(dataDir), { recursive: true });
  const draft = mkdtempSync(`${dataDir}.new-`);
  try {
    user.own(draft);
    const args = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-instructions'];
    const [command = '', ...rest] = [...user.prefix, binaries.initdb, '-D', draft, ...args];
    const result = spawnSync(command, rest, { env: postgresEnv(binaries), encoding: 'utf8' });
    if (result.status !== 0) {
      const reason = firstError(result.stderr || String(result.error));
      throw new StartError(
        `no database could be made in ${dataDir} (${reason}): choose another DATA_DIR, or set DATABASE_URL`,
      );
    }
    renameSync(draft, dataDir);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another process may have created the cluster first.
    if (!existsSync(path.join(dataDir, 'PG_VERSION'))) throw error;
  }
}

function firstError(log: string): string {
  const lines = log.trim().split('\n');
  return lines.find((line) => /error|fatal|denied/i.test(line)) ?? lines.at(-1) ?? '';
}

export function postgresEnv(binaries: PostgresBinaries): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    LC_ALL: 'C',
    TZ: 'UTC',
    LD_LIBRARY_PATH: binaries.libraries,
  };
}

/** Returns the process id of a data folder's server, as its lock file has it. */
export function readServerPid(dataDir: string): number | undefined {
  const file = path.join(dataDir, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
  return pid > 0 ? pid : undefined;
}

/**
 * Returns the URL of the server that runs on a data folder, for a program beside the one that started it. PostgreSQL
 * writes the folder of its socket into the fifth line of its lock file.
 */
export function findRunningServer(dataDir: string): string | undefined {
  const pid = readServerPid(path.resolve(dataDir));
  if (pid === undefined || !isServerOf(pid, path.resolve(dataDir))) return undefined;
  const socketDir = readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[4];
  return socketDir ? socketUrl(socketDir) : undefined;
}

export function socketUrl(socketDir: string): string {
  return `postgres://postgres@/postgres?host=${encodeURIComponent(socketDir)}`;
}

/**
 * Waits for a server that is still stopping, and removes a lock file whose process id now belongs to another program.
 * In containers process ids repeat, and PostgreSQL would refuse to start.
 */
export async function freeDataFolder(dataDir: string, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (let pid = readServerPid(dataDir); pid !== undefined; pid = readServerPid(dataDir)) {
    if (!isServerOf(pid, dataDir)) {
      rmSync(path.join(dataDir, 'postmaster.pid'), { force: true });
      return;
    }
    if (performance.now() > deadline) {
      throw new StartError(
        `${dataDir} is in use by process ${pid}: stop the relay that runs there, choose another DATA_DIR, ` +
          'or set DATABASE_URL',
      );
    }
    await delay(50);
  }
}

function isServerOf(pid: number, dataDir: string): boolean {
  return `${commandLine(pid)} `.includes(`-D ${dataDir} `);
}

function commandLine(pid: number): string {
  const file = `/proc/${pid}/cmdline`;
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
  }
  return existsSync(file) ? readFileSync(file, 'utf8').replaceAll('\0', ' ') : '';
}
