import { sealUnder } from '@tabletop-relay/database';
import { liveHeadlessStates } from '@tabletop-relay/contract';
import type { ConsoleLevel } from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import type { JobQueue } from '@tabletop-relay/jobs';
import { deleteOldest, finishSession, insertSession } from '@tabletop-relay/headless';
import type { sessionJobs } from '@tabletop-relay/headless';
import type { AddressGuard } from '@tabletop-relay/outbound';
import type { Kysely, Transaction } from 'kysely';
import { withAccountLocked } from '../../accounts/account-lock.ts';
import type { Sender } from '../../endpoint-handler.ts';
import { readPauses, refusePaused } from '../../pauses/pauses.ts';
import { ProblemError } from '../../problem.ts';
import type { Records } from '../../records/records.ts';
import { auditOf } from '../../records/sender.ts';
import { findClientsAt } from '../../worlds/find-clients.ts';
import type { Handshakes } from '../handshakes/handshakes.ts';
import type { HeadlessSettings } from '../headless-settings.ts';
import type { Holder } from '../holder.ts';
import { checkTabletopAddress } from '../login.ts';
import type { Login } from '../login.ts';
import { followStart } from './follow-start.ts';
import type { FollowDeps, StartedSession } from './follow-start.ts';

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
    await keepWithinBounds(trx, { holder, login, bounds: deps.settings });
    const { accountId, keyId } = holder;
    const consoleLevel = body.captureBrowserConsole ?? null;
    const inserted = await insertSession(trx, { accountId, keyId, ...login, consoleLevel });
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
  await enqueue(deps, sessionId, sealUnder(session.sealKey, password));
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

/** Throws `conflict` where a session of the account starts or runs on the tabletop. Resolves with its others. */
async function readOthers(
  db: Kysely<Tables>,
  { accountId, keyId, seesAll }: Holder,
  { tabletopUrl }: Login,
): Promise<{ id: string }[]> {
  const live = await db
    .selectFrom('headlessSessions')
    .select(['id', 'keyId', 'tabletopUrl'])
    .where('accountId', '=', accountId)
    .where('state', 'in', [...liveHeadlessStates])
    .execute();
  const there = live.find((session) => session.tabletopUrl === tabletopUrl);
  if (!there) return live;
  throw new ProblemError(
    'conflict',
    'A headless session starts or runs on this tabletop already.',
    seesAll || there.keyId === keyId ? { sessionId: there.id } : {},
  );
}

/** Throws `conflict` where the account has all the sessions that it may have, or one on this tabletop. */
async function keepWithinBounds(
  trx: Transaction<Tables>,
  {
    holder,
    login,
    bounds,
  }: {
    holder: Holder;
    login: Login;
    bounds: Pick<HeadlessSettings, 'maxHeadlessPerAccount' | 'maxHeadlessKept'>;
  },
): Promise<void> {
  const max = bounds.maxHeadlessPerAccount;
  const others = await readOthers(trx, holder, login);
  if (others.length >= max) {
    throw new ProblemError(
      'conflict',
      `An account may have ${max} headless sessions at once, and this one has them. End one first.`,
    );
  }
  await deleteOldest(trx, { accountId: holder.accountId, kept: bounds.maxHeadlessKept });
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
