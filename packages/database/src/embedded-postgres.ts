import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freeDataFolder, postgresEnv, prepareDataFolder, readServerPid, socketUrl } from './data-folder.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';
import { StartError } from './start-error.ts';
import { becomeUnprivileged } from './unprivileged.ts';

export interface EmbeddedPostgresOptions {
  /** The database cluster's folder; created when absent. */
  dataDir: string;
  /** Kept across restarts, it keeps the URL; without it each start makes its own. */
  socketDir?: string;
  /** Server settings beyond ours, e.g. `{ fsync: 'off' }` in tests. */
  settings?: Record<string, string>;
  /** Each piece of the server's log. */
  onLog?: (text: string) => void;
}

export interface EmbeddedPostgres {
  /** Reaches the server by a socket in a folder of ours alone: there is no port and no password. */
  url: string;
  pid: number;
  /** Resolves when the server is gone, whatever ended it, with the last lines of its log. */
  exited: Promise<string>;
  /** Ends the sessions in order and resolves when the server is gone. */
  stop(): Promise<void>;
}

/**
 * The server must outlive Ctrl-C, which reaches a terminal's whole process group, and must not outlive us: so
 * it runs detached under a shell that stops it when our end of its standard input closes.
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

/** Starts the real PostgreSQL from npm as a private child; rejects with its log when it does not come up. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = path.resolve(options.dataDir);
  const binaries = await findPostgresBinaries();
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
    // The sessions of a server that was killed hold its memory for a moment.
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
  // The keeper may be gone first; its exit is what we wait for.
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
