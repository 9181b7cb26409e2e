import { connectDatabase } from '@tabletop-relay/database';
import type { Database } from '@tabletop-relay/database';
import { createTestDatabase } from '@tabletop-relay/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mostPerTurn } from '../../test/most-per-turn.ts';
import { createKeepRequest } from './keep-requests.ts';
import { createTurns } from './turns.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  db = connectDatabase({ url: database.url, poolSize: 2, log: pino({ level: 'silent' }) });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

/** Sends fifty at once, and says what each was told. There is room for forty. */
function keepFifty(insert: (rows: number[]) => Promise<unknown>) {
  const keep = createKeepRequest<number>(
    { db, inTurn: createTurns(), now: Date.now },
    {
      table: 'keyRequests',
      lock: 'test',
      maxOpen: 40,
      full: 'There is no room.',
      insert: (_trx, rows) => insert(rows),
    },
  );
  const answered: string[] = [];
  for (let row = 0; row < 50; row++) {
    keep(row).then(
      () => answered.push(`kept ${row}`),
      (error: Error) => answered.push(`${error.message} ${row}`),
    );
  }
  return answered;
}

test('what is stored together is answered one a turn, in its order, whether there was room for it or not', async () => {
  const stored: number[][] = [];
  const answered = keepFifty((rows) => Promise.resolve(stored.push(rows)));
  expect(await mostPerTurn(() => answered.length, 50)).toBe(1);
  expect(stored.map((rows) => rows.length)).toEqual([40]);
  expect(answered[39]).toBe('kept 39');
  expect(answered[40]).toBe('There is no room. 40');
  expect(answered.at(-1)).toBe('There is no room. 49');
});

test('a transaction that fails is told to each of its requests, one a turn', async () => {
  const answered = keepFifty(() => Promise.reject(new Error('no disk')));
  expect(await mostPerTurn(() => answered.length, 50)).toBe(1);
  expect(answered[0]).toBe('no disk 0');
  expect(answered.at(-1)).toBe('no disk 49');
});
