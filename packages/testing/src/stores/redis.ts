import { Redis } from 'ioredis';
import { spawnBound } from '../processes/bound-child.ts';
import type { BoundChild } from '../processes/bound-child.ts';
import { findDebianProgram } from './debian-program.ts';
import type { Program } from './debian-program.ts';
import { findFreePort } from '../network/free-port.ts';

/** A private Redis that stores nothing on disk: after each start it is empty, at the same URL. */
export interface TestRedis {
  readonly url: string;
  readonly port: number;
  /** Changes with each restart. */
  readonly pid: number;
  stop(): Promise<void>;
  /** Kills the server (`kill -9`). */
  kill(): Promise<void>;
  /** Kills the server if it runs, and starts it empty. */
  restart(): Promise<void>;
  /** Removes all that is stored. Connections stay. */
  empty(): Promise<void>;
}

/** Starts a real Redis on a free loopback port. Fetches one if the machine has none. */
export async function startRedis(settings: Record<string, string> = {}): Promise<TestRedis> {
  const program = await findDebianProgram('redis');
  let { port, server } = await listenSomewhere(program, settings);
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    get pid() {
      return server.pid;
    },
    stop: () => server.end('SIGTERM'),
    kill: () => server.end('SIGKILL'),
    async empty() {
      const client = new Redis(port);
      await client.flushall();
      client.disconnect();
    },
    async restart() {
      await server.end('SIGKILL');
      server = await listen(program, port, settings);
    },
  };
}

async function listenSomewhere(program: Program, settings: Record<string, string>) {
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort();
    try {
      return { port, server: await listen(program, port, settings) };
    } catch (error) {
      // Another process took the port meanwhile.
      if (attempt === 5 || !String(error).includes('already in use')) throw error;
    }
  }
}

async function listen(program: Program, port: number, settings: Record<string, string>): Promise<BoundChild> {
  const all = {
    bind: '127.0.0.1',
    port: String(port),
    save: '',
    appendonly: 'no',
    dir: '/tmp',
    // A replica would leave its data there, and every server would read it at its start.
    dbfilename: `redis-${port}.rdb`,
    'repl-diskless-load': 'on-empty-db',
    'rdb-del-sync-files': 'yes',
    ...settings,
  };
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]);
  const server = spawnBound(program, args);
  await new Promise<void>((resolve, reject) => {
    let log = '';
    const read = (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-4000);
      if (log.includes('Ready to accept connections')) resolve();
    };
    server.process.stdout?.on('data', read);
    server.process.stderr?.on('data', read);
    server.process.once('error', reject);
    server.process.once('close', () => reject(new Error(`Redis did not start: ${log}`)));
  });
  return server;
}
