import type { Database } from '@tabletop-relay/database';
import { finishSession } from '@tabletop-relay/headless';
import type { SessionEnd } from '@tabletop-relay/headless';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { CredentialFeed } from '../credentials/changes/credential-feed.ts';
import type { HeadlessSettings } from './headless-settings.ts';

/** Ends sessions whose browser hosts are all gone, and starts that no relay follows any more. Every relay has one. */
export interface LapseWatch {
  start(): void;
  stop(): void;
  /** One look. Rejects while Postgres is away. */
  look(): Promise<void>;
}

export interface LapseDeps {
  db: Database;
  feed: Pick<CredentialFeed, 'change'>;
  log: Pick<Logger, 'info' | 'warn'>;
  settings: Pick<HeadlessSettings, 'headlessLapseMs' | 'headlessStartMs'>;
}

const everyMs = 10_000;
/** The relay that follows a start ends it at its time; only a relay that is gone has not done so by then. */
const followerLateMs = 15_000;
const mostAtOnce = 100;

export function createLapseWatch({ db, feed, log, settings }: LapseDeps): LapseWatch {
  let suspected = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    const before = suspected;
    // After a look that fails nobody is suspected: hosts, too, could not say that they live.
    suspected = new Set();
    const lapsed = await readLapsed(db, settings);
    for (const { run, ...session } of lapsed) {
      const known = `${session.sessionId} ${run}`;
      if (!before.has(known)) {
        suspected.add(known);
        continue;
      }
      const finished = await feed.change((trx) => finishSession(trx, { ...session, run }));
      if (finished)
        log.info({ sessionId: session.sessionId, reason: session.detail }, 'a headless session lapsed');
    }
  }

  return {
    look,
    start() {
      const tick = () =>
        look().catch((error: unknown) =>
          log.warn({ err: error }, 'lapsed headless sessions could not be read'),
        );
      timer = setInterval(() => void tick(), everyMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}

const silent = 'Its browser host went away, and no other took its place.';
const unfollowed = 'The relay that started it went away.';

async function readLapsed(
  db: Database,
  { headlessLapseMs, headlessStartMs }: LapseDeps['settings'],
): Promise<(SessionEnd & { run: number })[]> {
  const longAgo = (ms: number) => sql<Date>`now() - ${ms} * interval '1 ms'`;
  const rows = await db
    .selectFrom('headlessSessions')
    .select(['id', 'run', 'state'])
    .select((is) => is('seenAt', '<', longAgo(headlessLapseMs)).as('isSilent'))
    .where('state', 'in', ['starting', 'active', 'ending'])
    .where((is) =>
      is.or([
        is('seenAt', '<', longAgo(headlessLapseMs)),
        is.and([
          // One that was to end may have no job, by which a host would end it.
          is.or([is('state', '=', 'starting'), is('seenAt', 'is', null)]),
          is('createdAt', '<', longAgo(headlessStartMs + followerLateMs)),
        ]),
      ]),
    )
    .limit(mostAtOnce)
    .execute();
  return rows.map(({ id, run, state, isSilent }) => ({
    sessionId: id,
    run,
    ...(state !== 'ending' && { failure: 'session_failed' as const }),
    detail: isSilent ? silent : unfollowed,
  }));
}
