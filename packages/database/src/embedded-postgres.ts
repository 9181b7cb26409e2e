import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freeDataFolder, postgresEnv, prepareDataFolder, readServerPid, socketUrl } from './data-folder.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { StartError } from './start-error.ts';
import { becomeUnprivileged } from './unprivileged.ts';

export interface EmbeddedPostgresOptions {
  /** The folder of the database cluster. It is created if absent. */
  dataDir: string;
  /** With the same folder the URL stays the same over restarts. By default each start makes a new one. */
  socketDir?: string;
  /** Further server settings, e.g. `{ fsync: 'off' }` in tests. */
  settings?: Record<string, string>;
  /** Those of another PostgreSQL than the one from npm. */
  binaries?: PostgresBinaries;
  /** Called with each piece of the server's log. */
  onLog?: (text: string) => void;
}

export interface EmbeddedPostgres {
  /** Reaches the server through a socket in a private folder. There is no port and no password. */
  url: string;
  pid: number;
  /** Resolves with the last lines of the log when the server has ended, for whatever reason. */
  exited: Promise<string>;
  /** Ends the sessions in order. Resolves when the server has ended. */
  stop(): Promise<void>;
}

/**
 * The server must survive Ctrl-C, which reaches the terminal's whole process group, and must end with this process.
 * It therefore runs detached under a shell, which stops the server when its standard input closes.
 */
const keeper = `
trap '' TERM INT HUP
sockets=$1; shift
exec 3<&0
"$@" 3<&- </dev/null & server=$!
{ read -r _ <&3; while kill -INT $server; do sleep 1; done; } 2>/dev/null & watcher=$!
exec 3<&-
wait $server; status=$?
kill -9 $watcher 2>/dev/null
rm -rf "$sockets"
exit $status
`;

const patienceMs = 10_000;

/** Starts PostgreSQL from its npm package as a private child process. Rejects with its log if it does not start. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = path.resolve(options.dataDir);
  const binaries = options.binaries ?? (await findPostgresBinaries());
  const user = becomeUnprivileged();
  await freeDataFolder(dataDir, patienceMs);
  prepareDataFolder(dataDir, binaries, user);
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const socketDir = options.socketDir ?? mkdtempSync(path.join(os.tmpdir(), 'relay-postgres-'));
    mkdirSync(socketDir, { recursive: true, mode: 0o700 });
    user.own(socketDir);
    const settings = { listen_addresses: '', unix_socket_directories: socketDir, ...options.settings };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const command = [...user.prefix, binaries.postgres, '-D', dataDir, ...flags];
    const server = launch(socketDir, command, postgresEnv(binaries), options.onLog);
    const failure = await Promise.race([server.ready, server.exited]);
    if (failure === undefined) {
      const url = socketUrl(socketDir);
      return { url, pid: readServerPid(dataDir) ?? 0, exited: server.exited, stop: server.stop };
    }
    // The sessions of a killed server hold its shared memory for a moment, so try again.
    if (!failure.includes('shared memory block') || performance.now() > deadline) {
      throw new StartError(`PostgreSQL did not start: ${failure.trim()}`);
    }
    await delay(100);
  }
}

function launch(
  socketDir: string,
  command: string[],
  env: Record<string, string>,
  onLog: (text: string) => void = () => {},
) {
  const child = spawn('/bin/sh', ['-c', keeper, 'postgres', socketDir, ...command], {
    env,
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  });
  // Writing fails if the keeper has ended already; `exited` reports that.
  child.stdin.on('error', () => {});
  let log = '';
  const ready = new Promise<undefined>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-4000);
      onLog(text);
      if (log.includes('ready to accept connections')) resolve(undefined);
    });
  });
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', () => resolve(log));
  });
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await exited;
  };
  return { ready, exited, stop };
}
