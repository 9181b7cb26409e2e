import { StartError } from '@tabletop-relay/database';
import type { Logger } from 'pino';
import { Client } from 'pg';

const lockKey = 7_110_318_104;
const retryMs = 1_000;

export interface SingleInstance {
  release(): Promise<void>;
}

/**
 * Without Redis nothing joins two instances: an advisory lock in Postgres lets one run, and a second refuses
 * to start. Lost with its connection, the lock is taken again; when another has it by then, `onLost` is told.
 */
export async function holdSingleInstance(
  currentUrl: () => string,
  log: Logger,
  onLost: () => void,
): Promise<SingleInstance> {
  let released = false;
  let client = await lock(currentUrl());
  if (!client) {
    throw new StartError(
      'another relay runs on this database: set REDIS_URL on both, or stop the other one first',
    );
  }

  function watch(current: Client): void {
    current.on('error', (error) => log.warn({ err: error }, 'the connection with the instance lock broke'));
    current.on('end', () => {
      if (!released) void takeAgain();
    });
  }

  async function takeAgain(): Promise<void> {
    while (!released) {
      try {
        client = await lock(currentUrl());
        // A release in mid-try has ended only the connection before this one.
        if (released) return await client?.end();
        return client ? watch(client) : onLost();
      } catch (error) {
        log.warn({ err: error }, 'the instance lock could not be taken again yet');
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
  }

  watch(client);
  return {
    async release() {
      released = true;
      await client?.end().catch(() => {});
    },
  };
}

async function lock(databaseUrl: string): Promise<Client | undefined> {
  const client = new Client({
    connectionString: databaseUrl,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
  });
  client.on('error', () => {});
  let locked = false;
  try {
    await client.connect();
    const query = 'select pg_try_advisory_lock($1) as locked';
    locked = (await client.query<{ locked: boolean }>(query, [lockKey])).rows[0]?.locked === true;
    return locked ? client : undefined;
  } finally {
    // A connection without the lock is of no use, and would be one more at each try.
    if (!locked) await client.end().catch(() => {});
  }
}
