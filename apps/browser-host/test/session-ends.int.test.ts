import { connectDatabase, newId } from '@tabletop-relay/database';
import type { Database } from '@tabletop-relay/database';
import { askToEnd, beat, createSessionNotices } from '@tabletop-relay/headless';
import { createTestDatabase, headlessSession } from '@tabletop-relay/testing';
import type { TestDatabase } from '@tabletop-relay/testing';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startBeats } from '../src/sessions/beats.ts';
import { createRunningSession } from '../src/sessions/running-session.ts';
import type { RunningSession } from '../src/sessions/running-session.ts';

const log = pino({ level: 'silent' });
const minute = 60_000;
const settings = { headlessIdleMs: 30 * minute, headlessMaxMs: 120 * minute };

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = connectDatabase({ url: database.url, poolSize: 2, log });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

interface Given {
  ageMs?: number;
  quietMs?: number;
  isOnline?: boolean;
  state?: 'starting' | 'active' | 'ending';
  /** The run that the row has; this host's is 1. */
  run?: number;
  keyId?: string;
  isDisabled?: boolean;
  /** What became of the browser that the relay paired for it. */
  browser?: 'paired' | 'unpaired' | 'world forgotten';
}

/** Stores what the relay gives a session: a world and a connection token, both by the session's id. */
async function pair(on: Pick<Database, 'insertInto' | 'updateTable'>, id: string): Promise<void> {
  await on
    .insertInto('knownClients')
    .values({ clientId: id, accountId: id, pairedWorldId: 'w', worldId: 'w' })
    .execute();
  await on
    .insertInto('connectionTokens')
    .values({ id, accountId: id, clientId: id, hash: Buffer.from(id), hint: '', name: '', worldId: 'w' })
    .execute();
  await on.updateTable('headlessSessions').set({ clientId: id, tokenId: id }).where('id', '=', id).execute();
}

/** The row of a session, with an account of its own. */
async function insert(given: Given): Promise<string> {
  const { state = 'active', run: runOfRow = 1, keyId = null, browser } = given;
  const id = newId();
  const account = { id, email: `${id}@example.org`, passwordHash: '', masterKeyHint: '' };
  await db
    .insertInto('accounts')
    .values({
      ...account,
      masterKeyHash: Buffer.from(id),
      ...(given.isDisabled && { disabledAt: new Date() }),
    })
    .execute();
  await db
    .insertInto('headlessSessions')
    .values({ ...headlessSession(id), accountId: id, keyId, state, run: runOfRow })
    .execute();
  if (browser) await pair(db, id);
  if (browser === 'unpaired') await db.deleteFrom('connectionTokens').where('id', '=', id).execute();
  if (browser === 'world forgotten') await db.deleteFrom('knownClients').where('clientId', '=', id).execute();
  return id;
}

/** A session that this host runs, and its row. */
async function run(given: Given): Promise<RunningSession> {
  const { ageMs = 0, quietMs = 0, isOnline = true } = given;
  const id = await insert(given);
  const session = createRunningSession({ id, run: 1 }, Date.now() - ageMs);
  session.isOnline = isOnline;
  session.lastActivityAt = Date.now() - quietMs;
  const beats = startBeats({ db, log, sessions: new Set([session]), settings });
  onTestFinished(() => beats.stop());
  return session;
}

const ended = (detail: RegExp) => ({ kind: 'ended', detail: expect.stringMatching(detail) as string });

it.each<[string, Given, object]>([
  ['nobody used', { quietMs: 31 * minute }, ended(/Nobody used it for 30 min/)],
  ['ran for as long as it may', { ageMs: 121 * minute }, ended(/as long as a session may/)],
  [
    'ran for as long as it may, and is starting still',
    { ageMs: 121 * minute, isOnline: false, state: 'starting' },
    ended(/as long as a session may/),
  ],
  ['is to end', { state: 'ending' }, ended(/Its end was asked for/)],
  ['was started by a key that is gone', { keyId: 'revoked' }, ended(/key .* is not valid any more/)],
  ['is of an account that is blocked', { isDisabled: true }, ended(/account is blocked/)],
  ['had its browser unpaired', { browser: 'unpaired' }, ended(/browser was unpaired/)],
  ['had its world forgotten', { browser: 'world forgotten' }, ended(/browser was unpaired/)],
  ['another host has', { run: 2 }, { kind: 'superseded' }],
])('a session that %s ends', async (_what, given, why) => {
  const session = await run(given);
  await expect.poll(() => session.signal.aborted).toBe(true);
  expect(session.signal.reason).toEqual(why);
});

it.each<[string, Given]>([
  ['was used within the time', { quietMs: 29 * minute, ageMs: 119 * minute }],
  ['has its browser paired', { browser: 'paired' }],
  ['nobody can use yet', { quietMs: 31 * minute, isOnline: false, state: 'starting' }],
])('a session that %s goes on', async (_what, given) => {
  const session = await run(given);
  const seenAt = async () =>
    (
      await db
        .selectFrom('headlessSessions')
        .select('seenAt')
        .where('id', '=', session.id)
        .executeTakeFirstOrThrow()
    ).seenAt;
  await expect.poll(seenAt).not.toBeNull();
  expect(session.signal.aborted).toBe(false);
});

it('a page that shows no picture keeps the beats of other sessions from nothing', async () => {
  const start = async () => createRunningSession({ id: await insert({}), run: 1 }, Date.now());
  const [stuck, other] = [await start(), await start()];
  await db.insertInto('headlessViews').values({ sessionId: stuck.id, pictureWantedAt: new Date() }).execute();
  let asked = 0;
  stuck.takePicture = () => {
    asked++;
    return new Promise(() => {});
  };
  const beats = startBeats({ db, log, sessions: new Set([stuck, other]), settings });
  onTestFinished(() => beats.stop());
  await expect.poll(() => asked).toBe(1);
  await db.updateTable('headlessSessions').set({ state: 'ending' }).where('id', '=', other.id).execute();
  await expect.poll(() => other.signal.aborted).toBe(true);
  expect(asked).toBe(1);
});

it('a session that is given its token while a beat waits for its row does not count as unpaired', async () => {
  const id = await insert({ state: 'starting' });
  const told = await db.transaction().execute(async (trx) => {
    await pair(trx, id);
    const answers = beat(db, [{ id, run: 1, activityMs: Date.now() }]);
    const isWaiting = async () =>
      (
        await sql<object>`
          select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`.execute(
          trx,
        )
      ).rows.length > 0;
    await expect.poll(isWaiting).toBe(true);
    return { answers };
  });
  expect(await told.answers).toMatchObject([{ id, isUnpaired: false }]);
});

it('what is wanted of a session is done at its notice, not at the next second', async () => {
  const notices = createSessionNotices({ url: database.url, log });
  const id = await insert({});
  const session = createRunningSession({ id, run: 1 }, Date.now());
  const beats = startBeats({ db, log, sessions: new Set([session]), settings, everyMs: 60_000 });
  onTestFinished(async () => {
    await beats.stop();
    await notices.close();
  });
  const row = db.selectFrom('headlessSessions').select('seenAt').where('id', '=', id);
  await expect.poll(async () => (await row.executeTakeFirst())?.seenAt).toBeTruthy();
  onTestFinished(notices.on(id, beats.hurry));
  await db.transaction().execute((trx) => askToEnd(trx, { accountId: id, id }, 'Asked.'));
  await expect.poll(() => session.signal.aborted).toBe(true);
});
