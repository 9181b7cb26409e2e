import { liveHeadlessStates } from '@tabletop-relay/contract';
import { newId, newSealKey, sealUnder } from '@tabletop-relay/database';
import type { Database, HeadlessSessionsTable, Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Insertable, Selectable, Transaction } from 'kysely';
import { sessionChannel } from './session-notices.ts';

/*
 * The states of a headless session, and the only statements that change its rows. The row in Postgres is the one truth of a
 * session: relays write what is wanted, the browser host that runs it writes what is. Who waits for a change is notified by the
 * statement that makes it, so that the notice comes with the commit or not at all.
 *
 *                        relay                        relay
 *   insertSession ──▶ STARTING ──── makeActive ────▶ ACTIVE
 *                      │    │                        │    │
 *                      │    └──── askToEnd (relay) ──┤    │
 *                      │                             ▼    │
 *                      │                          ENDING  │
 *                      │  finishSession (both)       │    │
 *                      └─────────────┬───────────────┴────┘
 *                                    ▼
 *                             ENDED or FAILED ── deleteOldest (relay), the worker a day later ──▶ no row
 *
 * On its way through STARTING, each step waits for the one above it:
 *
 *   relay  insertSession    stage `queued`, with a key that seals
 *   host   takeSession      host, run + 1; again in STARTING or ACTIVE when another host takes it over
 *   host   writeStage       `open`, then the stages of its tabletop, `module`
 *   host   askForToken      world: what its page says. The relay waits for it.
 *   relay  giveToken        client and token, sealed. The host waits for it.
 *   host   writeStage       `online`: the module in its page connects
 *   host   tellConnected    notifies alone; the relay then looks whether the world is online by that token
 *   relay  makeActive       the host waits for it
 *
 * In every live state: `beat` each second and `writeDetail` by its host; `askForPicture` by a relay and `writePicture` by its
 * host. A host writes for its own run alone, so that a host from which the session was taken changes nothing any more.
 */

export type SessionRow = Selectable<HeadlessSessionsTable>;

/** One run of a session by one host. What an earlier run writes is not taken any more. */
export interface Run {
  id: string;
  run: number;
}

const notified = sql<string>`pg_notify(${sessionChannel}, headless_sessions.id)`.as('notified');
const viewNotified = sql<string>`pg_notify(${sessionChannel}, headless_views.session_id)`.as('notified');

const isLive = [...liveHeadlessStates];

// What a relay wants.

export type NewSession = Pick<
  Insertable<HeadlessSessionsTable>,
  'accountId' | 'keyId' | 'tabletopUrl' | 'username' | 'worldName' | 'consoleLevel'
>;

/** The caller holds the account's lock, so that two starts on one tabletop cannot both find it free. */
export async function insertSession(
  trx: Transaction<Tables>,
  given: NewSession,
): Promise<{ id: string; sealKey: Buffer }> {
  const session = { id: newId(), sealKey: newSealKey() };
  await trx
    .insertInto('headlessSessions')
    .values({ ...session, ...given, failure: null, seenAt: sql`null` })
    .execute();
  await trx.insertInto('headlessViews').values({ sessionId: session.id }).execute();
  return session;
}

/** Of those that are over the newest `kept` stay. */
export async function deleteOldest(
  trx: Transaction<Tables>,
  { accountId, kept }: { accountId: string; kept: number },
): Promise<void> {
  // Ids grow with time.
  const beyond = trx
    .selectFrom('headlessSessions')
    .select('id')
    .where('accountId', '=', accountId)
    .where('endedAt', 'is not', null)
    .orderBy('id', 'desc')
    .offset(kept);
  await trx.deleteFrom('headlessSessions').where('id', 'in', beyond).execute();
}

/** What the module of a session's page needs. */
export interface ModuleAccess {
  token: string;
  clientId: string;
  relayUrl: string;
}

/** Answers `askForToken`, sealed for the session's host. False where the session has ended or was answered already. */
export async function giveToken(
  trx: Transaction<Tables>,
  { id, sealKey }: { id: string; sealKey: Buffer },
  { tokenId, ...access }: ModuleAccess & { tokenId: string },
): Promise<boolean> {
  const sealedToken = sealUnder(sealKey, JSON.stringify(access));
  const given = await trx
    .updateTable('headlessSessions')
    .set({ clientId: access.clientId, tokenId, sealedToken })
    .where('id', '=', id)
    .where('state', '=', 'starting')
    .where('tokenId', 'is', null)
    .returning(notified)
    .execute();
  return given.length > 0;
}

/** Its world is online by its own token. False where it does not start any more. */
export async function makeActive(db: Database, id: string): Promise<boolean> {
  const active = await db
    .updateTable('headlessSessions')
    .set({ state: 'active', stage: 'online' })
    .where('id', '=', id)
    .where('state', '=', 'starting')
    .returning(notified)
    .execute();
  return active.length > 0;
}

/** A host beats for its sessions every second. After this silence it is gone, or none has taken the session yet. */
const hostSilentS = 10;

/** Whose sessions: one, those of a key, or all of an account. */
export interface WhichSessions {
  accountId: string;
  id?: string;
  keyId?: string | undefined;
}

/** The wish that sessions end, for their hosts. Resolves with those that are to end; without a host nobody else ends one. */
export async function askToEnd(
  trx: Transaction<Tables>,
  { accountId, id, keyId }: WhichSessions,
  detail: string,
): Promise<{ id: string; hasHost: boolean }[]> {
  const asked = await trx
    .updateTable('headlessSessions')
    .set({ state: 'ending', detail })
    .where('accountId', '=', accountId)
    .where('state', 'in', isLive)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .$if(keyId !== undefined, (query) => query.where('keyId', '=', keyId ?? ''))
    .returning(['id', sql<boolean | null>`seen_at > now() - ${hostSilentS} * interval '1 s'`.as('isSeen')])
    .returning(notified)
    .execute();
  return asked.map((session) => ({ id: session.id, hasHost: session.isSeen === true }));
}

/** When it was asked for; undefined where no host has the session. */
export async function askForPicture(
  db: Database,
  { accountId, id }: { accountId: string; id: string },
): Promise<Date | undefined> {
  const asked = await db
    .updateTable('headlessViews')
    .from('headlessSessions')
    .set({ pictureWantedAt: sql`now()` })
    .whereRef('sessionId', '=', 'id')
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('state', 'in', ['starting', 'active'])
    .where('run', '>', 0)
    .returning(['pictureWantedAt', notified])
    .executeTakeFirst();
  return asked?.pictureWantedAt ?? undefined;
}

// What a host tells.

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

/** Undefined where another host has taken it since. */
export async function readSession(db: Database, { id, run }: Run): Promise<SessionRow | undefined> {
  const row = db.selectFrom('headlessSessions').selectAll().where('id', '=', id).where('run', '=', run);
  return await row.executeTakeFirst();
}

const ofRun = (db: Database, { id, run }: Run) =>
  db.updateTable('headlessSessions').where('id', '=', id).where('run', '=', run).where('state', 'in', isLive);

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

export async function askForToken(db: Database, run: Run, world: Record<string, string>): Promise<void> {
  await ofRun(db, run)
    .set({ world: JSON.stringify(world) })
    .returning(notified)
    .execute();
}

export async function tellConnected(db: Database, { id }: Run): Promise<void> {
  await sql`select pg_notify(${sessionChannel}, ${id})`.execute(db);
}

export async function writePicture(db: Database, sessionId: string, picture: Buffer): Promise<void> {
  await db
    .updateTable('headlessViews')
    .set({ picture, pictureAt: sql`clock_timestamp()` })
    .where('sessionId', '=', sessionId)
    .returning(viewNotified)
    .execute();
}

export async function writeConsole(db: Database, sessionId: string, lines: readonly object[]): Promise<void> {
  await db
    .updateTable('headlessViews')
    .set({ console: JSON.stringify(lines) })
    .where('sessionId', '=', sessionId)
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

// The end, by whoever finds it.

export interface SessionEnd {
  sessionId: string;
  /** Only if it is still this run of it: a later one is another host's. */
  run?: number;
  /** `ended` where nothing went wrong. */
  failure?: 'session_failed' | 'browser_unavailable';
  /** Why, in words for the account. */
  detail: string;
}

/** What ended, for whoever tells the other instances. */
export interface FinishedSession {
  accountId: string;
  clientId: string | null;
  tokenId: string | null;
}

/**
 * Ends a session with its connection token and its seal. Undefined where it had ended already. The event reaches every
 * relay by the poll of `credential_events`, so that the token's socket closes within a second.
 */
export async function finishSession(
  trx: Transaction<Tables>,
  { sessionId, run, failure, detail }: SessionEnd,
): Promise<FinishedSession | undefined> {
  const finished = await trx
    .updateTable('headlessSessions')
    .set({
      state: failure ? 'failed' : 'ended',
      failure: failure ?? null,
      // Who asked for the end has said why.
      detail: sql`case when state = 'ending' and detail <> '' then detail else ${detail} end`,
      endedAt: sql`now()`,
      sealKey: null,
      sealedToken: null,
    })
    .where('id', '=', sessionId)
    .where('state', 'in', isLive)
    .$if(run !== undefined, (query) => query.where('run', '=', run ?? 0))
    .returning(['accountId', 'clientId', 'tokenId', notified])
    .executeTakeFirst();
  if (!finished?.tokenId) return finished;
  const { accountId, tokenId } = finished;
  const token = await trx
    .deleteFrom('connectionTokens')
    .where('id', '=', tokenId)
    .returning('id')
    .executeTakeFirst();
  if (token) {
    await trx
      .insertInto('credentialEvents')
      .values({ accountId, subject: 'token', subjectId: tokenId, change: 'revoked' })
      .execute();
  }
  return finished;
}
