import { openUnder, sealUnder, storable } from '@tabletop-relay/database';
import { finishSession, takeSession, writeDetail } from '@tabletop-relay/headless';
import type { sessionJobs, SessionEnd, SessionRow } from '@tabletop-relay/headless';
import type { JobPayload, JobQueue, JobRun } from '@tabletop-relay/jobs';
import { BrowserUnavailable } from '../browser/browser.ts';
import { StageFailure } from '../adapters/adapter.ts';
import type { Beats } from './beats.ts';
import { PageGone, runSession } from './run-session.ts';
import type { RunDeps } from './run-session.ts';
import { createRunningSession } from './running-session.ts';
import type { Leaving, RunningSession } from './running-session.ts';
import { forgetState } from './stored-state.ts';

type Payload = JobPayload<'headless-session', typeof sessionJobs>;

export interface SessionJobDeps extends RunDeps {
  /** The name of this host. */
  host: string;
  /** The sessions that it runs. */
  sessions: Set<RunningSession>;
  beats: Pick<Beats, 'hurry'>;
  queue: Pick<JobQueue<typeof sessionJobs>, 'add'>;
  /** Whether another host can go on with what this one leaves. */
  canHandOver: boolean;
  onEnd(outcome: 'ended' | 'failed' | 'handed_over'): void;
}

/** How often the page of one run may crash. */
const mostCrashes = 1;

/** Runs the session of a job to its end here. Rejects only where Postgres is away for too long. */
export function createSessionJob(deps: SessionJobDeps) {
  return async function runJob(payload: Payload, job: JobRun<Payload>): Promise<void> {
    const { sessionId } = payload;
    const session = await takeSession(deps.db, { id: sessionId, host: deps.host });
    // It ended while it waited: its end was asked for, or nobody took it in time.
    if (!session) return await finish(deps, { sessionId, detail: 'It ended before a browser had it.' });
    const secret = { password: openPassword(session, payload) };
    await job.replacePayload({ sessionId });
    const running = createRunningSession(session, session.createdAt.getTime());
    deps.sessions.add(running);
    const unwatch = deps.notices.on(sessionId, deps.beats.hurry);
    try {
      await settle(deps, session, await live(deps, { session, running, secret }), secret);
    } finally {
      unwatch();
      deps.sessions.delete(running);
    }
  };
}

function openPassword({ sealKey }: SessionRow, { sealedPassword }: Payload): string | undefined {
  return sealedPassword && sealKey ? openUnder(sealKey, sealedPassword) : undefined;
}

type End = Leaving | { kind: 'failed'; failure: 'session_failed' | 'browser_unavailable'; detail: string };

async function live(
  deps: SessionJobDeps,
  input: { session: SessionRow; running: RunningSession; secret: { password?: string | undefined } },
): Promise<End> {
  const { session, running } = input;
  for (let crashes = 0; ; crashes++) {
    try {
      return await runSession(deps, input);
    } catch (error) {
      if (running.signal.aborted) return running.signal.reason as Leaving;
      const sessionId = session.id;
      if (error instanceof PageGone && error.isExcess) {
        deps.log.warn({ sessionId, reason: error.message }, 'a headless session was ended for its excess');
        const detail = `It was ended, because ${error.message}.`;
        return { kind: 'failed', failure: 'session_failed', detail };
      }
      if (error instanceof PageGone && crashes < mostCrashes) {
        deps.log.warn({ sessionId, reason: error.message }, 'a headless session starts again');
        await writeDetail(deps.db, session, `It was opened again, because ${error.message}.`).catch(() => {});
        continue;
      }
      if (error instanceof PageGone) {
        const detail = `It was started again once, and then ${error.message} again.`;
        return { kind: 'failed', failure: 'session_failed', detail };
      }
      if (error instanceof StageFailure) {
        return { kind: 'failed', failure: 'session_failed', detail: error.message };
      }
      deps.log.error({ err: error, sessionId }, 'a headless session broke');
      return error instanceof BrowserUnavailable
        ? { kind: 'failed', failure: 'browser_unavailable', detail: error.message }
        : { kind: 'failed', failure: 'session_failed', detail: 'The browser host failed. Its log says why.' };
    }
  }
}

async function settle(
  deps: SessionJobDeps,
  session: SessionRow,
  end: End,
  secret: { password?: string | undefined },
): Promise<void> {
  const { id: sessionId, run, sealKey } = session;
  if (end.kind === 'superseded') return;
  if (end.kind === 'handover' && deps.canHandOver) {
    const { password } = secret;
    const sealed = password !== undefined && sealKey ? { sealedPassword: sealUnder(sealKey, password) } : {};
    await deps.queue.add('headless-session', { sessionId, ...sealed }, { id: `${sessionId}-${run}` });
    return deps.onEnd('handed_over');
  }
  const detail = end.kind === 'handover' ? 'The relay was stopped.' : end.detail;
  const failure = end.kind === 'failed' ? { failure: end.failure } : {};
  await finish(deps, { sessionId, run, detail, ...failure });
  await forgetState(deps, session);
  deps.onEnd(end.kind === 'failed' ? 'failed' : 'ended');
}

const maxDetailLength = 2000;

/** A detail may hold words of the page, which must not keep the session from ending. */
async function finish({ db, log }: SessionJobDeps, given: SessionEnd): Promise<void> {
  const end = { ...given, detail: storable(given.detail, maxDetailLength) };
  const finished = await db.transaction().execute((trx) => finishSession(trx, end));
  if (finished) log.info({ sessionId: end.sessionId, reason: end.detail }, 'a headless session ended');
}
