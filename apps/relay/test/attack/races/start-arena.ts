import { startRedis } from '@tabletop-relay/testing';
import type { MailMessage } from '@tabletop-relay/notifications';
import { startInstances } from '../../instances.ts';
import type { TestInstance } from '../../instances.ts';
import { arenaBounds, arenaLimit } from './accounts.ts';
import type { Arena } from './arena.ts';

export type RunningArena = Omit<Arena, 'tally'> & { stop(): Promise<void> };

/** Two instances over a real Redis; on the Postgres of the tests, or on that of `databaseUrl`. */
export async function startArena(databaseUrl?: string): Promise<RunningArena> {
  const redis = await startRedis();
  const mails: MailMessage[] = [];
  const cluster = await startInstances({
    count: 2,
    redis: [redis.url],
    ...(databaseUrl ? { databaseUrl } : {}),
    sendMail: (message) => Promise.resolve(void mails.push(message)),
    config: {
      // Who loses a race shall lose it for the race's reason.
      ...arenaBounds,
      limitSelfUnpair: `${arenaLimit} per 1 h`,
    },
  });
  const [first, second] = cluster.instances as [TestInstance, TestInstance];
  return {
    urls: [first.url, second.url],
    db: cluster.db,
    mails,
    async stop() {
      await cluster.stop();
      await redis.stop();
    },
  };
}
