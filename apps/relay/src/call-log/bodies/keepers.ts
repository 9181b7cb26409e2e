import type { Broadcast } from '@tabletop-relay/cluster';
import type { Database } from '@tabletop-relay/database';
import type { Logger } from 'pino';

/** The accounts that want requests and answers kept, as this instance knows them. */
export interface Keepers {
  has(accountId: string): boolean;
  /** Publishes to all instances that an account changed its choice. */
  announce(): void;
  start(): Promise<void>;
  stop(): void;
}

const topic = 'call-log-settings';
const everyMs = 30_000;

/**
 * Read at start, at each change and every 30 s. Until the first read nobody's are kept; and what an instance that missed a
 * change still sends is not inserted, because the insert asks the table itself.
 */
export function createKeepers(options: { db: Database; broadcast: Broadcast; log: Logger }): Keepers {
  const { db, broadcast, log } = options;
  let keepers: ReadonlySet<string> = new Set();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function read(): Promise<void> {
    try {
      const rows = await db
        .selectFrom('callLogSettings')
        .select('accountId')
        .where('keepsBodies', '=', true)
        .execute();
      keepers = new Set(rows.map(({ accountId }) => accountId));
    } catch (error) {
      if (!isStopped) log.warn({ err: error }, 'who keeps bodies of calls cannot be read; it is tried again');
    }
  }

  broadcast.subscribe(topic, () => void read());
  return {
    has: (accountId) => keepers.has(accountId),
    announce: () => void broadcast.publish(topic, '').catch(() => {}),
    async start() {
      await read();
      timer = setInterval(() => void read(), everyMs).unref();
    },
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
