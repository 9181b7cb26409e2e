import { createMemoryCluster } from '@tabletop-relay/cluster';
import { connectDatabase, newId } from '@tabletop-relay/database';
import type { Database, Tables } from '@tabletop-relay/database';
import { createTestDatabase } from '@tabletop-relay/testing';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCredentialFeed } from '../credentials/changes/credential-feed.ts';
import { createSecret } from '../credentials/secret.ts';
import { setPause } from '../pauses/set-pause.ts';
import { createRecords } from '../records/records.ts';
import type { Records } from '../records/records.ts';
import { insertApiKey } from './write-key.ts';
import type { Principal } from './authenticate.ts';
import { createKeyUse } from './key-use.ts';
import type { WrittenUse } from './key-use.ts';

const log = pino({ level: 'silent' });
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: Database;
let feed: ReturnType<typeof createCredentialFeed>;
let records: Records;
let accountId = '';
let keyId = '';

beforeAll(async () => {
  database = await createTestDatabase();
  db = connectDatabase({ url: database.url, poolSize: 6, log });
  const { broadcast } = createMemoryCluster({ instanceId: 'test' });
  feed = createCredentialFeed({ db, broadcast, log, settings: { credentialTrustMs: 600_000 } });
  records = createRecords({ db, instanceId: 'test', log });
});
afterAll(async () => {
  await records.stop();
  await db.destroy();
  await database.drop();
});

beforeEach(async () => {
  accountId = newId();
  const { hash: masterKeyHash, hint: masterKeyHint } = createSecret('masterKey');
  const email = `${accountId.toLowerCase()}@example.org`;
  await db
    .insertInto('accounts')
    .values({ id: accountId, email, passwordHash: '', masterKeyHash, masterKeyHint })
    .execute();
  const terms = {
    name: 'Bot',
    scopes: ['entity:read'],
    clientIds: null,
    actingUserIds: null,
    monthlyLimit: null,
    expiresAt: null,
  };
  const made = await feed.change((trx, announce) =>
    insertApiKey(trx, { accountId, now: Date.now(), terms, announce }),
  );
  keyId = made.id;
});

const isSomebodyWaiting = async () => {
  const { rows } = await sql`select 1 from pg_locks where not granted`.execute(db);
  return rows.length > 0;
};

/** Holds the account as a change of it does, and goes on with its keys when `other` waits. */
async function whileHeld<T>(
  lock: 'forNoKeyUpdate' | 'forUpdate',
  { other, goOn }: { other: () => Promise<T>; goOn: (trx: Transaction<Tables>) => Promise<unknown> },
): Promise<T> {
  let waiting: Promise<T> | undefined;
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom('accounts').select('id').where('id', '=', accountId)[lock]().execute();
    waiting = other();
    waiting.catch(() => {});
    await expect.poll(isSomebodyWaiting, { interval: 5 }).toBe(true);
    await goOn(trx);
  });
  return await (waiting as Promise<T>);
}

test('uses of a master key and a key wait for a change of the account’s keys, and hold none of them', async () => {
  const use = createKeyUse({ db, boot: newId(), log, onWritten: () => {} });
  use.touch({ keyId: accountId, kind: 'master' } as Principal);
  use.count({ keyId, kind: 'scoped' } as Principal, Date.now());
  await whileHeld('forNoKeyUpdate', {
    other: () => use.flush(),
    goOn: (trx) => trx.updateTable('apiKeys').set({ name: 'Rolled' }).where('id', '=', keyId).execute(),
  });
  const [used] = await db.selectFrom('keyUsage').select('calls').where('keyId', '=', keyId).execute();
  expect(used).toEqual({ calls: '1' });
});

test('calls whose total could not be read at first are told as written by the next try, and once', async () => {
  let queries = 0;
  const faulty = db.withPlugin({
    transformQuery: ({ node }) => {
      queries++;
      if (queries === 2) throw new Error('Postgres went away behind the write');
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
  const written: WrittenUse[] = [];
  const boot = newId();
  const use = createKeyUse({ db: faulty, boot, log, onWritten: (one) => void written.push(one) });
  use.count({ keyId, kind: 'scoped' } as Principal, Date.parse('2026-11-22T12:00:00Z'));
  await expect(use.flush()).rejects.toThrow('behind the write');
  await use.flush();
  await use.flush();
  expect(written).toEqual([{ keyId, month: '2026-11-01', calls: 1, total: 1 }]);
});

test('a call that ends after its month counts in the month in which it began', async () => {
  const written: WrittenUse[] = [];
  const boot = newId();
  const now = () => Date.parse('2026-11-30T23:59:00Z');
  const use = createKeyUse({ db, boot, log, now, onWritten: (one) => void written.push(one) });
  const count = (at: string) => use.count({ keyId, kind: 'scoped' } as Principal, Date.parse(at));
  for (const at of ['2026-11-30T23:59:58Z', '2026-12-01T00:00:01Z', '2026-11-30T23:59:59Z']) count(at);
  await use.flush();
  count('2026-11-30T23:59:59Z');
  await use.flush();
  expect(written.map(({ month, calls, total }) => `${month}: ${calls} of ${total}`).toSorted()).toEqual([
    '2026-11-01: 1 of 3',
    '2026-11-01: 2 of 2',
    '2026-12-01: 1 of 1',
  ]);
});

test('a new master key ends a key that is just being paused, and neither waits for the other', async () => {
  const change = { accountId, subject: { keyId }, who: { actor: 'session' } } as const;
  const paused = whileHeld('forUpdate', {
    other: () => setPause({ feed, records }, change),
    goOn: (trx) => trx.deleteFrom('apiKeys').where('id', '=', keyId).execute(),
  });
  await expect(paused).rejects.toMatchObject({ code: 'not_found' });
});
