import { StartError } from '@tabletop-relay/database';
import { reaching } from '@tabletop-relay/process';
import type { Logger } from 'pino';
import { Client } from 'pg';

const lockKey = 7_110_318_104;
const retryMs = 1_000;
/** One that starts without Redis may take the lost lock for a moment, until it has heard of the others. */
const patienceMs = 30_000;

export interface InstanceLock {
  release(): Promise<void>;
}

export interface InstanceLockOptions {
  /** With Redis it is held beside others with Redis. Nothing joins an instance without Redis to others, so it holds it alone. */
  hasRedis: boolean;
  currentUrl: () => string;
  log: Logger;
  /** Another has taken the place of this instance. */
  onLost: () => void;
}

/**
 * An advisory lock in Postgres keeps instances with and without Redis from one database. One that does not get it refuses to
 * start. Lost with its connection, it is taken again; where that stays impossible, `onLost` is told.
 */
export async function takeInstanceLock(options: InstanceLockOptions): Promise<InstanceLock> {
  const { hasRedis, currentUrl, log, onLost } = options;
  let released = false;
  let client = await reaching('Postgres', 'DATABASE_URL', () => lock(currentUrl(), hasRedis));
  if (!client) throw new StartError(refusalOf(hasRedis));

  function watch(current: Client): void {
    current.on('error', (error) => log.warn({ err: error }, 'the connection with the instance lock broke'));
    current.on('end', () => {
      if (!released) void takeAgain();
    });
  }

  async function takeAgain(): Promise<void> {
    let refusedSince: number | undefined;
    /** Postgres may be away for long: one line of it does. */
    let isLogged = false;
    while (!released) {
      try {
        client = await lock(currentUrl(), hasRedis);
        // A release in mid-try has ended only the connection before this one.
        if (released) return await client?.end();
        if (client) return watch(client);
        refusedSince ??= performance.now();
        if (!hasRedis || performance.now() - refusedSince > patienceMs) return onLost();
      } catch (error) {
        if (!isLogged) log.warn({ err: error }, 'the instance lock could not be taken again yet');
        isLogged = true;
      }
      await new Promise((resolve) => setTimeout(resolve, retryMs));
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

const refusalOf = (hasRedis: boolean): string =>
  hasRedis
    ? 'a relay without REDIS_URL runs on this database: stop it first, and set REDIS_URL on all'
    : 'another relay runs on this database: set REDIS_URL on both, or stop the other one first';

async function lock(databaseUrl: string, isShared: boolean): Promise<Client | undefined> {
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
    const query = `select pg_try_advisory_lock${isShared ? '_shared' : ''}($1) as locked`;
    locked = (await client.query<{ locked: boolean }>(query, [lockKey])).rows[0]?.locked === true;
    return locked ? client : undefined;
  } finally {
    // A connection without the lock is of no use, and would be one more at each try.
    if (!locked) await client.end().catch(() => {});
  }
}
