import { liveHeadlessStates } from '@tabletop-relay/contract';
import type { Database, HeadlessSessionsTable } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Selectable } from 'kysely';

export type SessionRow = Selectable<HeadlessSessionsTable>;

/** One run of a session by one host. What an earlier run writes is not taken any more. */
export interface Run {
  id: string;
  run: number;
}

/** Makes this host the one that runs the session. Undefined where it has ended, or is to end. */
export async function takeSession(
  db: Database,
  { id, host }: { id: string; host: string },
): Promise<SessionRow | undefined> {
  return await db
    .updateTable('headlessSessions')
    .set({ host, run: sql`run + 1`, seenAt: sql`now()` })
    .where('id', '=', id)
    .where('state', 'in', ['starting', 'active'])
    .returningAll()
    .executeTakeFirst();
}

const ofRun = (db: Database, { id, run }: Run) =>
  db
    .updateTable('headlessSessions')
    .where('id', '=', id)
    .where('run', '=', run)
    .where('state', 'in', [...liveHeadlessStates]);

export async function writeStage(
  db: Database,
  run: Run,
  progress: Pick<SessionRow, 'stage' | 'stageNumber' | 'stages'>,
): Promise<void> {
  await ofRun(db, run).set(progress).execute();
}

/** What the account is told of a session that goes on. */
export async function writeDetail(db: Database, run: Run, detail: string): Promise<void> {
  await ofRun(db, run).where('state', '!=', 'ending').set({ detail }).execute();
}

export async function writeWorld(db: Database, run: Run, world: Record<string, string>): Promise<void> {
  await ofRun(db, run)
    .set({ world: JSON.stringify(world) })
    .execute();
}

export async function readSession(db: Database, { id, run }: Run): Promise<SessionRow | undefined> {
  return await db
    .selectFrom('headlessSessions')
    .selectAll()
    .where('id', '=', id)
    .where('run', '=', run)
    .executeTakeFirst();
}

export async function writePicture(db: Database, id: string, picture: Buffer): Promise<void> {
  await db
    .updateTable('headlessViews')
    .set({ picture, pictureAt: sql`clock_timestamp()` })
    .where('sessionId', '=', id)
    .execute();
}

export async function writeConsole(db: Database, id: string, lines: readonly object[]): Promise<void> {
  await db
    .updateTable('headlessViews')
    .set({ console: JSON.stringify(lines) })
    .where('sessionId', '=', id)
    .execute();
}

export interface Beat extends Run {
  /** Epoch milliseconds of the last call or event. */
  activityMs: number;
}

/** What a host learns of a session that it runs. One that is missing is not its any more. */
export interface BeatAnswer {
  id: string;
  state: SessionRow['state'];
  isKeyValid: boolean;
  /** Its connection token was deleted, by itself or with its world. */
  isUnpaired: boolean;
  isBlocked: boolean;
  wantsPicture: boolean;
}

/**
 * Tells that this host has these sessions, and asks what is wanted of them. The token's id is read anew for `is_unpaired`:
 * `s` is the row as it is now, where the relay may just have written the id of a token that this statement can't see yet.
 */
export async function beat(db: Database, beats: readonly Beat[]): Promise<BeatAnswer[]> {
  const rows = beats.map(({ id, run, activityMs }) => ({ id, run, activity: activityMs / 1000 }));
  const { rows: answers } = await sql<BeatAnswer>`
    update headless_sessions s set
      seen_at = now(), last_activity_at = greatest(s.last_activity_at, to_timestamp(b.activity))
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as b(id text, run integer, activity double precision),
      accounts a
    where s.id = b.id and s.run = b.run and a.id = s.account_id and s.state in ('starting', 'active', 'ending')
    returning s.id, s.state,
      a.disabled_at is not null or a.rotation_required as is_blocked,
      s.key_id is null or s.key_id = s.account_id or exists (
        select from api_keys k where k.id = s.key_id and (k.expires_at is null or k.expires_at > now())
      ) as is_key_valid,
      exists (
        select from headless_sessions own
        where own.id = s.id and own.token_id is not null
          and not exists (select from connection_tokens t where t.id = own.token_id)
      ) as is_unpaired,
      exists (
        select from headless_views v
        where v.session_id = s.id and v.picture_wanted_at > coalesce(v.picture_at, '-infinity')
      ) as wants_picture`.execute(db);
  return answers;
}
