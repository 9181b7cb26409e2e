import { connectDatabase } from '@tabletop-relay/database';
import type { Database, Tables } from '@tabletop-relay/database';
import { createTestDatabase, waitFor } from '@tabletop-relay/testing';
import { sql } from 'kysely';
import type { Insertable } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { mostPerTurn } from '../../test/most-per-turn.ts';
import { createKeepRequest } from './keep-requests.ts';
import { createOneByOne } from './one-by-one.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: Database;
let other: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  const connect = () => connectDatabase({ url: database.url, poolSize: 2, log: pino({ level: 'silent' }) });
  db = connect();
  other = connect();
});
afterEach(() => db.deleteFrom('keyRequests').execute());
afterAll(async () => {
  await Promise.all([db.destroy(), other.destroy()]);
  await database.drop();
});

type Row = Insertable<Tables['keyRequests']>;

const hourMs = 3_600_000;
const requestNamed = (id: string, more: Partial<Row> = {}): Row => ({
  id,
  codeHash: Buffer.from(id),
  appName: 'bot',
  scopes: ['clients:read'],
  requestedFrom: '192.0.2.1',
  expiresAt: new Date(Date.now() + hourMs),
  ...more,
});

/** What an instance keeps requests with. There is room for forty. */
const keeper = () =>
  createKeepRequest(
    { db, oneByOne: createOneByOne(), now: Date.now },
    { table: 'keyRequests', maxOpen: 40, full: 'There is no room.' },
  );

/** Sends fifty at once, and says what each was told. */
function keepFifty(more: Partial<Row> = {}) {
  const keep = keeper();
  const answered: string[] = [];
  for (let index = 0; index < 50; index++) {
    keep(requestNamed(`${index}`, more)).then(
      () => answered.push(`kept ${index}`),
      (error: Error) => answered.push(`${error.message} ${index}`),
    );
  }
  return answered;
}

const storedIds = async () => (await db.selectFrom('keyRequests').select('id').execute()).map(({ id }) => id);

test('what is stored together is answered one a turn, in its order, whether there was room for it or not', async () => {
  const answered = keepFifty();
  expect(await mostPerTurn(() => answered.length, 50)).toBe(1);
  const firstForty = Array.from({ length: 40 }, (_, index) => `${index}`);
  expect((await storedIds()).sort((a, b) => Number(a) - Number(b))).toEqual(firstForty);
  expect(answered[39]).toBe('kept 39');
  expect(answered[40]).toBe('There is no room. 40');
  expect(answered.at(-1)).toBe('There is no room. 49');
});

test('a statement that fails is told to each of its requests, one a turn', async () => {
  const answered = keepFifty({ codeHash: Buffer.from('the same for all') });
  expect(await mostPerTurn(() => answered.length, 50)).toBe(1);
  expect(answered[0]).toMatch(/duplicate key.* 0$/);
  expect(answered.at(-1)).toMatch(/duplicate key.* 49$/);
  expect(await storedIds()).toEqual([]);
});

test('who counts waits for the instance whose turn it is, and then counts what that one stored', async () => {
  const told = await other.transaction().execute(async (trx) => {
    // As the function does, and the release before it did.
    await sql`select pg_advisory_xact_lock(hashtext('open_key_requests'))`.execute(trx);
    const rows = Array.from({ length: 40 }, (_, index) => requestNamed(`${index}`));
    await trx.insertInto('keyRequests').values(rows).execute();
    const telling = keeper()(requestNamed('one too many')).catch((error: Error) => error.message);
    const waiting = sql`
      select from pg_locks join pg_database on pg_database.oid = database
      where datname = current_database() and locktype = 'advisory' and not granted`;
    const isWaiting = async () => (await waiting.execute(trx)).rows.length > 0;
    await waitFor(isWaiting);
    return { telling };
  });
  expect(await told.telling).toBe('There is no room.');
  expect(await storedIds()).toHaveLength(40);
});

test('what was decided or has expired takes no place', async () => {
  const keep = keeper();
  for (let index = 0; index < 30; index++) {
    await db
      .insertInto('keyRequests')
      .values(requestNamed(`denied ${index}`, { status: 'denied' }))
      .execute();
    const expiresAt = new Date(Date.now() - 1);
    await db
      .insertInto('keyRequests')
      .values(requestNamed(`late ${index}`, { expiresAt }))
      .execute();
  }
  await expect(keep(requestNamed('one more'))).resolves.toBeUndefined();
});

test('a row is stored as it is, and half of a character as the sign for one that is unknown', async () => {
  const expiresAt = new Date(Date.now() + hourMs);
  const row = requestNamed('a', {
    codeHash: Buffer.from([0, 92, 255, 120]),
    appName: 'O’Hara’s "bot" \\x00 {n} 🎲',
    appUrl: 'https://bot.example/\ud83c',
    scopes: ['clients:read', 'entity:read'],
    suggestedMonthlyLimit: 7,
    callbackUrl: null,
    expiresAt,
  });
  await keeper()(row);
  const [stored] = await db.selectFrom('keyRequests').selectAll().execute();
  expect(stored).toMatchObject({ ...row, appUrl: 'https://bot.example/\ufffd', status: 'pending' });
});
