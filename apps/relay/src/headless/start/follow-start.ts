import type { Database } from '@tabletop-relay/database';
import { finishSession, makeActive } from '@tabletop-relay/headless';
import type { SessionEnd, SessionNotices, SessionRow } from '@tabletop-relay/headless';
import type { Logger } from 'pino';
import { withAccountLocked } from '../../accounts/account-lock.ts';
import type { LockDeps } from '../../accounts/account-lock.ts';
import { ProblemError } from '../../problem.ts';
import type { WorldBounds } from '../../worlds/bounds.ts';
import type { WhoIsOnline } from '../../worlds/who-is-online.ts';
import type { HeadlessSettings } from '../headless-settings.ts';
import { answerHost } from './give-token.ts';

export interface FollowDeps extends LockDeps {
  db: Database;
  log: Logger;
  notices: SessionNotices;
  bounds: WorldBounds;
  settings: HeadlessSettings;
  whoIsOnline: WhoIsOnline;
}

export interface StartedSession {
  sessionId: string;
  clientId: string;
}

/**
 * Follows a session from its queue to the world that is online: gives its host the token, and ends what takes too long.
 * Rejects with the problem to answer; the session has ended then. `stop` ends it too: this instance goes away.
 */
export async function followStart(deps: FollowDeps, input: Followed): Promise<StartedSession> {
  const watch = deps.notices.watch(input.sessionId);
  try {
    return await follow(deps, input, watch);
  } finally {
    watch.end();
  }
}

interface Followed {
  sessionId: string;
  relayUrl: string;
  stop: AbortSignal;
}

async function follow(
  deps: FollowDeps,
  { sessionId, relayUrl, stop }: Followed,
  watch: ReturnType<SessionNotices['watch']>,
): Promise<StartedSession> {
  const { settings } = deps;
  const begun = performance.now();
  let session: SessionRow | undefined;
  for (;;) {
    session = (await look(deps, sessionId)) ?? session;
    const waitedMs = performance.now() - begun;
    if (session?.state === 'failed' || session?.state === 'ended') throw problemOf(session);
    // This relay made it so, and the answer was lost.
    if (session?.state === 'active' && session.clientId) return { sessionId, clientId: session.clientId };
    if (session?.state === 'starting') {
      const started = await advance(deps, session, relayUrl).catch((error: unknown) => {
        if (error instanceof ProblemError) throw error;
        deps.log.warn({ err: error, sessionId }, 'a step of a headless start failed; it is tried again');
      });
      if (started) return started;
    }
    const stage = session?.stage ?? 'queued';
    const hostWaitMs = stage === 'queued' ? settings.browserHostWaitMs : Infinity;
    if (waitedMs > hostWaitMs) {
      await fail(deps, { sessionId, failure: 'browser_unavailable', detail: noHost });
    } else if (waitedMs > settings.headlessStartMs) {
      const waitedS = Math.round(settings.headlessStartMs / 1000);
      await fail(deps, {
        sessionId,
        failure: 'session_failed',
        detail: `It was at the stage ${stage} after ${waitedS} s.`,
      });
    } else if (stop.aborted) {
      await fail(deps, {
        sessionId,
        failure: 'session_failed',
        detail: 'The relay that started it went away.',
      });
    } else await watch.next(Math.min(hostWaitMs, settings.headlessStartMs) - waitedMs, stop);
  }
}

const noHost =
  'No browser host took the session: none runs, or all are busy. Start one with `pnpm browser-host`, or end a session.';

/** Postgres may be away for a while: the last look counts then. */
async function look({ db, log }: FollowDeps, sessionId: string): Promise<SessionRow | undefined> {
  const query = db.selectFrom('headlessSessions').selectAll().where('id', '=', sessionId);
  try {
    const row = await query.executeTakeFirst();
    if (!row)
      throw new ProblemError('session_failed', 'The account was deleted.', { stage: 'queued', sessionId });
    return row;
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    log.warn({ err: error, sessionId }, 'a headless session that starts could not be read');
    return undefined;
  }
}

/** The step that is the relay's to take, if there is one. */
async function advance(
  deps: FollowDeps,
  session: SessionRow,
  relayUrl: string,
): Promise<StartedSession | undefined> {
  const { id: sessionId, accountId, clientId, tokenId } = session;
  if (!session.world) return undefined;
  if (!tokenId || !clientId) {
    await withAccountLocked(deps, { accountId }, (trx) =>
      answerHost(trx, { session, relayUrl, bounds: deps.bounds }),
    ).catch((error: unknown) => refuse(deps, sessionId, error));
    return undefined;
  }
  const online = (await deps.whoIsOnline([clientId]))?.get(clientId);
  if (!online) return undefined;
  if (online.tokenId !== tokenId) {
    await fail(deps, {
      sessionId,
      failure: 'session_failed',
      detail: 'The world is online in another browser.',
    });
    throw new ProblemError('conflict', 'This world is online in another browser already.', { sessionId });
  }
  return (await makeActive(deps.db, sessionId)) ? { sessionId, clientId } : undefined;
}

/**
 * A refusal is the answer to the host's question, so the session ends with it; one of the caller's rights is the caller's
 * answer too. Anything else is tried again.
 */
async function refuse(deps: FollowDeps, sessionId: string, error: unknown): Promise<void> {
  if (!(error instanceof ProblemError)) throw error;
  await fail(deps, { sessionId, failure: 'session_failed', detail: error.message });
  if (error.code === 'forbidden' || error.code === 'paused')
    throw new ProblemError(error.code, error.message, { ...error.fields, sessionId });
}

async function fail({ feed }: FollowDeps, end: SessionEnd): Promise<void> {
  await feed.change((trx) => finishSession(trx, end));
}

function problemOf({ id: sessionId, failure, stage, detail }: SessionRow): ProblemError {
  if (failure === 'browser_unavailable') {
    return new ProblemError('browser_unavailable', detail, { sessionId, retryAfterS: 10 });
  }
  return new ProblemError('session_failed', detail || 'The session was ended before its world was online.', {
    stage,
    sessionId,
  });
}
