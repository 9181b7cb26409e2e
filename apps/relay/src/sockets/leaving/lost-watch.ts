import type { Cluster } from '@tabletop-relay/cluster';
import type { Database } from '@tabletop-relay/database';
import type { Logger } from 'pino';
import { readSilentConnections, recordLost } from '../../records/connections/lost-connections.ts';
import type { SilentConnection } from '../../records/connections/lost-connections.ts';
import { noteLost } from '../../worlds/last-seen.ts';
import type { PresenceFeed } from '../../worlds/presence.ts';

/**
 * Records and tells the ends of connections whose instance was killed, in its place. Every instance has one, and each end
 * is recorded by one of them.
 */
export interface LostWatch {
  /** Looks for connections of silent instances, unless a look is under way. To be called after each report of this instance. */
  look(): void;
  /** Drops all suspicions. To be called when this instance could not report, because others may not have either. */
  forget(): void;
  /** Resolves when the last look has ended. */
  stop(): Promise<void>;
}

export interface LostWatchDeps {
  db: Database;
  cluster: Pick<Cluster, 'directory'>;
  presence: Pick<PresenceFeed, 'announce'>;
  log: Pick<Logger, 'info' | 'warn'>;
  silentMs: number;
}

/** As many connections as all instances have, so that those of an instance that lives and is only silent hide no others. */
const mostRead = 100_000;
const batchSize = 500;

export function createLostWatch(deps: LostWatchDeps): LostWatch {
  const { db, cluster, presence, log, silentMs } = deps;
  let suspected = new Set<string>();
  let looking: Promise<void> | undefined;
  let isStopped = false;

  /** Leaves out worlds that are online and did not connect again: their instance only cannot write to Postgres. */
  async function findLost(silent: readonly SilentConnection[]): Promise<SilentConnection[]> {
    if (silent.length === 0) return [];
    const online = await cluster.directory.find(silent.map(({ clientId }) => clientId));
    return silent.filter(({ clientId, nextAt }) => nextAt !== null || !online.has(clientId));
  }

  async function look(): Promise<void> {
    const before = suspected;
    // If this look fails, the next one suspects nobody.
    suspected = new Set();
    const lost = await findLost(await readSilentConnections(db, { silentMs, limit: mostRead }));
    const sure = lost.filter(({ conn }) => before.has(conn));
    suspected = new Set(lost.map(({ conn }) => conn));
    for (let at = 0; at < sure.length && !isStopped; at += batchSize) {
      await tell(await recordLost(db, sure.slice(at, at + batchSize)));
    }
  }

  async function tell(recorded: readonly SilentConnection[]): Promise<void> {
    if (recorded.length === 0) return;
    log.info(
      { connections: recorded.length },
      'ends of connections were recorded in place of their instance',
    );
    const gone = recorded.filter(({ nextAt }) => nextAt === null);
    await noteLost(db, gone);
    for (const { accountId, clientId } of gone) presence.announce({ accountId, clientId, isOnline: false });
  }

  return {
    look() {
      if (isStopped) return;
      looking ??= look()
        .catch((error: unknown) => {
          if (!isStopped) log.warn({ err: error }, 'connections of silent instances could not be looked for');
        })
        .finally(() => (looking = undefined));
    },
    forget: () => void (suspected = new Set()),
    async stop() {
      isStopped = true;
      await looking;
    },
  };
}
