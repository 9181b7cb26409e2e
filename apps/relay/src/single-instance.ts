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
  databaseUrl: string,
  log: Logger,
  onLost: () => void,
): Promise<SingleInstance> {
  let released = false;
  let client = await lock(databaseUrl);
  if (!client) {
    throw new Error(
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
        client = await lock(databaseUrl);
        if (client) return watch(client);
        return onLost();
      } catch {
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
  });
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
    lockKey,
  ]);
  if (rows[0]?.locked) return client;
  await client.end();
  return undefined;
}
