import type { ConsoleLevel } from '@tabletop-relay/contract';
import type { JobQueue } from '@tabletop-relay/jobs';
import { finishSession, seal } from '@tabletop-relay/headless';
import type { sessionJobs } from '@tabletop-relay/headless';
import type { AddressGuard } from '@tabletop-relay/outbound';
import { withAccountLocked } from '../../accounts/account-lock.ts';
import type { Sender } from '../../endpoint-handler.ts';
import { readPauses, refusePaused } from '../../pauses/pauses.ts';
import { ProblemError } from '../../problem.ts';
import type { Records } from '../../records/records.ts';
import { auditOf } from '../../records/sender.ts';
import { findClientsAt } from '../../worlds/find-clients.ts';
import type { Handshakes } from '../handshakes/handshakes.ts';
import type { Holder } from '../holder.ts';
import { checkTabletopAddress } from '../login.ts';
import type { Login } from '../login.ts';
import { followStart } from './follow-start.ts';
import type { FollowDeps, StartedSession } from './follow-start.ts';
import { insertSession, readOthers } from './insert-session.ts';

export interface StartDeps extends FollowDeps {
  handshakes: Pick<Handshakes, 'finish'>;
  guard: AddressGuard;
  records: Pick<Records, 'auditIn'>;
  queue: Pick<JobQueue<typeof sessionJobs>, 'add'>;
}

export interface StartBody {
  handshakeToken: string;
  encryptedPassword: string;
  captureBrowserConsole?: ConsoleLevel;
}

export interface StartingSession {
  sessionId: string;
  /** Settles when the world is online, or will not be. */
  started: Promise<StartedSession>;
}

/** Starts a session; resolves when its job is queued. Throws what the endpoint's problems name. */
export async function startSession(
  deps: StartDeps,
  input: { holder: Holder; body: StartBody; sender: Sender; relayUrl: string; stop: AbortSignal },
): Promise<StartingSession> {
  const { holder, body, relayUrl, stop } = input;
  const { login, password } = await deps.handshakes.finish(holder, body);
  await checkTabletopAddress(deps.guard, login.tabletopUrl);
  await refuseWorldsThere(deps, holder, login);
  const session = await withAccountLocked(deps, { accountId: holder.accountId }, async (trx) => {
    const inserted = await insertSession(trx, {
      holder,
      login,
      consoleLevel: body.captureBrowserConsole ?? null,
      bounds: deps.settings,
    });
    await deps.records.auditIn(trx, {
      accountId: holder.accountId,
      event: 'headless_session.started',
      actor: holder.keyId === null ? 'session' : 'key',
      subjectId: inserted.id,
      detail: { tabletopUrl: login.tabletopUrl, username: login.username },
      ...auditOf(input.sender),
    });
    return inserted;
  });
  const sessionId = session.id;
  await enqueue(deps, sessionId, seal(session.sealKey, password));
  return { sessionId, started: followStart(deps, { sessionId, relayUrl, stop }) };
}

/** A world of the tabletop that is online is in use, and one that is paused shall not be opened for programs. */
async function refuseWorldsThere(deps: StartDeps, holder: Holder, login: Login): Promise<void> {
  // A world that is online by a session of one's own is told by that session.
  await readOthers(deps.db, holder, login);
  const { accountId } = holder;
  const { origin } = new URL(login.tabletopUrl);
  const there = await findClientsAt(deps.db, { accountId, origin, world: login.worldName });
  const mayReach = (id: string) => !holder.clientIds || holder.clientIds.has(id);
  const pauses = await readPauses(deps.db, accountId);
  for (const id of there.filter(mayReach)) refusePaused({ pauses }, id);
  const online = await deps.whoIsOnline(there);
  if (!online) throw new ProblemError('unavailable', 'Which worlds are online cannot be told at the moment.');
  if (online.size === 0) return;
  const clientId = [...online.keys()].find(mayReach);
  // A key learns the ids of those worlds alone that it may reach.
  if (clientId === undefined)
    throw new ProblemError('conflict', 'A world of this tabletop is online already.');
  throw new ProblemError('conflict', `The world ${clientId} of this tabletop is online already.`, {
    clientId,
  });
}

async function enqueue({ queue, feed }: StartDeps, sessionId: string, sealedPassword: string): Promise<void> {
  try {
    await queue.add('headless-session', { sessionId, sealedPassword }, { id: sessionId });
  } catch (cause) {
    const detail = 'The queue of headless sessions cannot be reached at the moment.';
    await feed.change((trx) => finishSession(trx, { sessionId, failure: 'browser_unavailable', detail }));
    throw new ProblemError('unavailable', detail, { cause });
  }
}
