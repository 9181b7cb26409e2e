import { connectDatabase } from '@tabletop-relay/database';
import type { Database } from '@tabletop-relay/database';
import { createTestDatabase } from '@tabletop-relay/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCallLog } from '../../src/call-log/call-log.ts';
import type { EndedCall } from '../../src/call-log/call-log.ts';

const log = pino({ level: 'silent' });
const broadcast = { publish: () => Promise.resolve(), subscribe: () => () => {}, onGap: () => () => {} };
const settings = {
  callLog: true,
  callRowsPerSecond: 500,
  callRowsWaiting: 1_000,
  callRowsWaitingPerAccount: 1_000,
  callBodyBytesWaiting: 1_000,
  callBodyBytesPerHour: 1_000,
};

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  db = connectDatabase({ url: database.url, poolSize: 2, log });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

async function insertAccount(id: string): Promise<void> {
  const values = {
    id,
    email: `${id}@x`,
    passwordHash: '',
    masterKeyHash: Buffer.from(id),
    masterKeyHint: '',
  };
  await db.insertInto('accounts').values(values).execute();
}

/** A log that writes when it is told to; `dropped` has the accounts of the calls that were not recorded. */
function createTestLog(more: Partial<typeof settings> = {}, now?: () => number) {
  const dropped: string[] = [];
  const callLog = createCallLog({
    db,
    broadcast,
    instanceId: 'test',
    log,
    records: { countDropped: (accountId) => dropped.push(accountId) },
    settings: { ...settings, callRowsEveryMs: 3_600_000, ...more },
    ...(now && { now }),
  });
  return { callLog, dropped };
}

const ended = (accountId: string, more: Partial<EndedCall> = {}): EndedCall => ({
  accountId,
  keyId: 'key',
  keyName: 'Bot',
  clientId: 'world',
  operation: 'next-turn',
  outcome: 'client_offline',
  status: 404,
  tookMs: 3,
  worldMs: null,
  requestId: 'r',
  ipAddress: '192.0.2.1',
  userAgent: 'bot/1',
  oldValue: false,
  ignoredParameters: '',
  via: 'http',
  assistant: null,
  replayed: false,
  ...more,
});

const rowsOf = (accountId: string) =>
  db
    .selectFrom('callLog')
    .select(['requestId', 'outcome', 'standsFor'])
    .where('accountId', '=', accountId)
    .orderBy('id')
    .execute();

async function countedOf(accountId: string): Promise<number> {
  const rows = await db.selectFrom('callHours').select('calls').where('accountId', '=', accountId).execute();
  return rows.reduce((sum, { calls }) => sum + Number(calls), 0);
}

it('an account with too many waiting loses its own oldest, is told, and all are counted', async () => {
  await Promise.all(['loud', 'quiet'].map(insertAccount));
  const { callLog, dropped } = createTestLog({ callRowsWaitingPerAccount: 10 });
  callLog.record(ended('quiet'));
  for (let call = 0; call < 25; call++) callLog.record(ended('loud', { requestId: `r${call}` }));
  await callLog.stop();
  expect(dropped).toEqual(Array.from({ length: 15 }, () => 'loud'));
  expect((await rowsOf('loud')).map(({ requestId }) => requestId)).toEqual(
    Array.from({ length: 10 }, (_, index) => `r${15 + index}`),
  );
  expect(await rowsOf('quiet')).toHaveLength(1);
  expect(await countedOf('loud')).toBe(25);
});

it('above its rate it keeps every failure and a sample of the rest, and counts all', async () => {
  await insertAccount('busy');
  let now = Date.now();
  const { callLog } = createTestLog({ callRowsPerSecond: 10 }, () => now);
  const second = () => {
    for (let call = 0; call < 200; call++) callLog.record(ended('busy', { outcome: 'ok', status: 200 }));
    for (let call = 0; call < 20; call++) callLog.record(ended('busy'));
    now += 1_000;
  };
  second();
  second();
  await callLog.stop();
  const rows = await rowsOf('busy');
  const [failures, successes] = [
    rows.filter(({ outcome }) => outcome !== 'ok'),
    rows.filter(({ outcome }) => outcome === 'ok'),
  ];
  expect(failures).toHaveLength(40);
  expect(failures.every(({ standsFor }) => standsFor === 1)).toBe(true);
  expect(successes.length).toBeLessThan(60);
  expect(successes.some(({ standsFor }) => standsFor === 20)).toBe(true);
  expect(await countedOf('busy')).toBe(440);
});

it('a batch that comes late writes nothing of an account that is gone', async () => {
  await insertAccount('gone');
  const { callLog } = createTestLog();
  callLog.record(ended('gone'));
  await db.deleteFrom('accounts').where('id', '=', 'gone').execute();
  await callLog.stop();
  expect([await rowsOf('gone'), await countedOf('gone')]).toEqual([[], 0]);
});

it('records nothing while it is switched off', async () => {
  await insertAccount('silent');
  const { callLog } = createTestLog({ callLog: false });
  callLog.record(ended('silent'));
  await callLog.stop();
  expect([await rowsOf('silent'), await countedOf('silent')]).toEqual([[], 0]);
});
