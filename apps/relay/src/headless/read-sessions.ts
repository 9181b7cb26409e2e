import type { PageRead } from '@tabletop-relay/kit';
import { liveHeadlessStates } from '@tabletop-relay/contract';
import type { ActiveSession, HeadlessSession } from '@tabletop-relay/contract';
import type { Database } from '@tabletop-relay/database';
import { askForPicture, lookUntil } from '@tabletop-relay/headless';
import type { SessionNotices } from '@tabletop-relay/headless';
import { sql } from 'kysely';
import { ProblemError } from '../problem.ts';
import type { Holder } from './holder.ts';
import { readWorld } from './start/give-token.ts';

/** The sessions of a holder that start, run or end. */
export async function readActiveSessions(db: Database, holder: Holder): Promise<ActiveSession[]> {
  const rows = await db
    .selectFrom('headlessSessions')
    .selectAll()
    .where('accountId', '=', holder.accountId)
    .where('state', 'in', [...liveHeadlessStates])
    .$if(!holder.seesAll, (query) => query.where('keyId', '=', holder.keyId))
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => {
    const { clientId: _clientId, origin: _origin, customName: _customName, ...world } = readWorld(row);
    return {
      sessionId: row.id,
      clientId: row.clientId ?? '',
      tabletopUrl: row.tabletopUrl,
      username: row.username,
      worldName: row.worldName || world.worldTitle,
      ...world,
      state: row.state as ActiveSession['state'],
      startedAt: row.createdAt.getTime(),
      lastActivity: row.lastActivityAt.getTime(),
    };
  });
}

/** A page of an account's sessions, newest first; with `id` that one alone. */
export async function readSessions(
  db: Database,
  input: PageRead & { accountId: string },
): Promise<HeadlessSession[]> {
  const rows = await db
    .selectFrom('headlessSessions')
    .innerJoin('headlessViews', 'sessionId', 'id')
    .selectAll('headlessSessions')
    .select(sql<boolean>`picture is not null`.as('hasPicture'))
    .where('accountId', '=', input.accountId)
    .$if(input.cursor !== undefined, (query) => query.where('id', '<', input.cursor ?? ''))
    .orderBy('id', 'desc')
    .limit(input.limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    tabletopUrl: row.tabletopUrl,
    username: row.username,
    worldName: row.worldName,
    worldTitle: readWorld(row).worldTitle,
    clientId: row.clientId ?? '',
    state: row.state,
    stage: row.stage,
    stageNumber: row.stageNumber,
    stages: row.stages,
    detail: row.detail,
    hasPicture: row.hasPicture,
    hasConsole: row.consoleLevel !== null,
    startedBy: row.keyId,
    createdAt: row.createdAt.toISOString(),
    lastActivityAt: row.lastActivityAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  }));
}

/** What its page shows. Throws `not_found` where the account has no such session. */
export async function readView(db: Database, { accountId, id }: { accountId: string; id: string }) {
  const view = await db
    .selectFrom('headlessSessions')
    .innerJoin('headlessViews', 'sessionId', 'id')
    .select(['state', 'picture', 'pictureAt', 'console'])
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  if (!view) throw new ProblemError('not_found', 'You have no headless session by that id.');
  return view;
}

const takenWithinMs = 4_000;

/** The page of a session as it is now, where a host has it; otherwise, or if that takes too long, the last picture. */
export async function takePicture(
  { db, notices }: { db: Database; notices: SessionNotices },
  session: { accountId: string; id: string },
): Promise<{ at: string | null; image: string }> {
  const askedAt = await askForPicture(db, session);
  const look = async () => {
    const view = await readView(db, session);
    const { state, pictureAt } = view;
    const isNew = askedAt === undefined || (pictureAt !== null && pictureAt >= askedAt);
    const isLive = state === 'starting' || state === 'active';
    return isNew || !isLive ? view : undefined;
  };
  const found = await lookUntil(notices, { sessionId: session.id, withinMs: takenWithinMs }, look);
  const { picture, pictureAt } = found ?? (await readView(db, session));
  const image = picture ? `data:image/jpeg;base64,${picture.toString('base64')}` : '';
  return { at: pictureAt?.toISOString() ?? null, image };
}
