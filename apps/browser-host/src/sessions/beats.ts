import type { Database } from '@tabletop-relay/database';
import { beat, writeConsole, writePicture } from '@tabletop-relay/headless';
import type { BeatAnswer } from '@tabletop-relay/headless';
import type { Logger } from 'pino';
import type { BrowserSettings } from '../config.ts';
import type { RunningSession } from './running-session.ts';

/** Several changes that come together cost one beat. */
const againMs = 20;

export interface Beats {
  /** Asks at once what is wanted, instead of at the next second. */
  hurry(): void;
  stop(): Promise<void>;
}

/** Once a second: tells Postgres that the sessions live, and does what is wanted of them. */
export function startBeats(deps: {
  db: Database;
  log: Logger;
  sessions: ReadonlySet<RunningSession>;
  settings: Pick<BrowserSettings, 'headlessIdleMs' | 'headlessMaxMs'>;
  everyMs?: number;
}): Beats {
  const { db, log, sessions, settings, everyMs = 1_000 } = deps;
  let isStopped = false;
  let isHurried = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const pictured = new Set<RunningSession>();

  async function tick(): Promise<void> {
    if (sessions.size > 0) {
      await tell().catch((error: unknown) =>
        log.warn({ err: error }, 'headless sessions could not be told of'),
      );
    }
    if (!isStopped) timer = setTimeout(next, isHurried ? againMs : everyMs);
  }

  function next(): void {
    timer = undefined;
    isHurried = false;
    running = tick();
  }

  async function tell(): Promise<void> {
    const told = [...sessions];
    for (const session of told) endIfDue(session, settings);
    const answers = await beat(
      db,
      told.map(({ id, run, lastActivityAt }) => ({ id, run, activityMs: lastActivityAt })),
    );
    const byId = new Map(answers.map((answer) => [answer.id, answer]));
    await Promise.all(told.map((session) => obey(db, session, byId.get(session.id))));
    for (const session of told) if (byId.get(session.id)?.wantsPicture) void tellPicture(session);
  }

  /** Beside the beats: a page that shows nothing in time would keep those of all sessions waiting. */
  async function tellPicture(session: RunningSession): Promise<void> {
    if (pictured.has(session)) return;
    pictured.add(session);
    try {
      const picture = await session.takePicture?.();
      if (picture) await writePicture(db, session.id, picture);
    } catch (error) {
      log.warn({ err: error, sessionId: session.id }, 'a picture of a headless session could not be kept');
    } finally {
      pictured.delete(session);
    }
  }

  running = tick();
  return {
    hurry() {
      if (isHurried || isStopped) return;
      isHurried = true;
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = setTimeout(next, againMs);
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

function endIfDue(session: RunningSession, { headlessIdleMs, headlessMaxMs }: BrowserSettingsTimes): void {
  const now = Date.now();
  if (session.isOnline && now - session.lastActivityAt > headlessIdleMs) {
    const minutes = Math.round(headlessIdleMs / 60_000);
    session.leave({ kind: 'ended', detail: `Nobody used it for ${minutes} min.` });
  } else if (now - session.startedAt > headlessMaxMs) {
    session.leave({ kind: 'ended', detail: 'It ran for as long as a session may.' });
  }
}

type BrowserSettingsTimes = Pick<BrowserSettings, 'headlessIdleMs' | 'headlessMaxMs'>;

async function obey(db: Database, session: RunningSession, answer: BeatAnswer | undefined): Promise<void> {
  if (!answer) return session.leave({ kind: 'superseded' });
  const { state, isKeyValid, isBlocked, isUnpaired } = answer;
  if (state === 'ending') return session.leave({ kind: 'ended', detail: 'Its end was asked for.' });
  if (!isKeyValid)
    return session.leave({ kind: 'ended', detail: 'The key that started it is not valid any more.' });
  if (isBlocked) return session.leave({ kind: 'ended', detail: 'The account is blocked.' });
  if (isUnpaired) return session.leave({ kind: 'ended', detail: 'Its browser was unpaired.' });
  const lines = session.takeConsole();
  if (lines) await writeConsole(db, session.id, lines);
}
