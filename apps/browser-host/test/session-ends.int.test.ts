import { connectDatabase, newId } from '@tabletop-relay/database';
import type { Database } from '@tabletop-relay/database';
import { createTestDatabase, headlessSession } from '@tabletop-relay/testing';
import type { TestDatabase } from '@tabletop-relay/testing';
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
}

/** A session that this host runs, and its row. */
async function run(given: Given): Promise<RunningSession> {
  const {
    ageMs = 0,
    quietMs = 0,
    isOnline = true,
    state = 'active',
    run: runOfRow = 1,
    keyId = null,
  } = given;
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
  ['another host has', { run: 2 }, { kind: 'superseded' }],
])('a session that %s ends', async (_what, given, why) => {
  const session = await run(given);
  await expect.poll(() => session.signal.aborted).toBe(true);
  expect(session.signal.reason).toEqual(why);
});

it.each<[string, Given]>([
  ['was used within the time', { quietMs: 29 * minute, ageMs: 119 * minute }],
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
