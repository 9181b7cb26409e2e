import { createMemoryCluster } from '@tabletop-relay/cluster';
import { connectDatabase, newId } from '@tabletop-relay/database';
import type { Database } from '@tabletop-relay/database';
import { createTestDatabase } from '@tabletop-relay/testing';
import { hash } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createOneByOne } from '../accounts/one-by-one.ts';
import { createCredentialFeed } from '../credentials/changes/credential-feed.ts';
import type { CredentialFeed } from '../credentials/changes/credential-feed.ts';
import { createSecret } from '../credentials/secret.ts';
import { noPauses } from '../pauses/pauses.ts';
import { createRecords } from '../records/records.ts';
import { apiKeyHandlers, revokeApiKey } from './api-keys.ts';
import { insertApiKey } from './write-key.ts';
import { createAuthenticate } from './authenticate.ts';
import type { Principal } from './authenticate.ts';
import { checkKeyBound } from './bounds.ts';
import { createKeyUse } from './key-use.ts';
import type { WrittenUse } from './key-use.ts';
import { keysOfAccount, unbindClient } from './keys-of-account.ts';

const log = pino({ level: 'silent' });
const now = Date.parse('2026-11-22T12:00:00Z');
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: Database;
let feed: CredentialFeed;
let accountId = '';

beforeAll(async () => {
  database = await createTestDatabase();
  db = connectDatabase({ url: database.url, poolSize: 6, log });
  const { broadcast } = createMemoryCluster({ instanceId: 'test' });
  feed = createCredentialFeed({ db, broadcast, log, pollMs: 20, settings: { credentialTrustMs: 600_000 } });
  await feed.start();
});
afterAll(async () => {
  await feed.stop();
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
});

const reach = { clientIds: ['w1', 'w2'], actingUserIds: null };
const terms = { scopes: ['entity:read'], ...reach, monthlyLimit: 100, expiresAt: null };

const addKey = (name: string, at = now) =>
  feed.change((trx, announce) =>
    insertApiKey(trx, { accountId, now: at, terms: { ...terms, name }, announce }),
  );

function createKeys() {
  const unknownSecrets = { max: 30, waitS: () => 0, count: () => Promise.resolve() };
  return createAuthenticate({ db, feed, unknownSecrets, now: () => now });
}

function setUpRecords() {
  const records = createRecords({ db, instanceId: 'test', log });
  onTestFinished(() => records.stop());
  return records;
}

test('a key is found with its rights, and found again by its hash until it is revoked', async () => {
  const { id, apiKey } = await addKey('Bot');
  const { authenticate, keys } = createKeys();
  const principal = await authenticate(apiKey, '192.0.2.1', {});
  expect(principal).toEqual({
    kind: 'scoped',
    accountId,
    keyId: id,
    keyName: 'Bot',
    scopes: new Set(['entity:read']),
    clientIds: new Set(['w1', 'w2']),
    actingUserIds: null,
    monthlyLimit: 100,
    expiresAtMs: null,
    oldValueEndsAtMs: null,
    signedIn: null,
    reachesPaused: false,
    scopesByHand: false,
    pauses: noPauses,
    blocked: null,
  });
  expect(keys.hashOf(principal)).toBe(hash('sha256', apiKey, 'base64url'));
  expect(await keys.find(keys.hashOf(principal))).toEqual(principal);
  const records = setUpRecords();
  const record = { actor: 'relay', detail: { why: 'test' } } as const;
  expect(await revokeApiKey({ feed, records }, { accountId: newId(), id, record })).toBe(false);
  expect(await revokeApiKey({ feed, records }, { accountId, id, record })).toBe(true);
  await expect.poll(() => keys.find(keys.hashOf(principal)).catch(String)).toMatch(/revoked/);
});

test('a connection that brings two keys is answered for each, and for none once it is revoked', async () => {
  const one = await addKey('One');
  const other = await addKey('Other');
  const { authenticate } = createKeys();
  const connection = {};
  const bring = async ({ apiKey }: { apiKey: string }) => await authenticate(apiKey, '192.0.2.1', connection);
  for (const key of [one, other, other, one, one]) expect(await bring(key)).toMatchObject({ keyId: key.id });
  const records = setUpRecords();
  await revokeApiKey(
    { feed, records },
    { accountId, id: one.id, record: { actor: 'relay', detail: { why: 'test' } } },
  );
  await expect.poll(() => bring(one).catch(String)).toMatch(/No such key/);
  expect(await bring(other)).toMatchObject({ keyId: other.id });
});

test('the uses of a key between two writes are written together, and once', async () => {
  const { id } = await addKey('Bot');
  const written: WrittenUse[] = [];
  const boot = newId();
  const use = createKeyUse({ db, boot, log, now: () => now, onWritten: (one) => void written.push(one) });
  const principal = { keyId: id, kind: 'scoped' } as Principal;
  use.count(principal, now - 1_000);
  use.count(principal, now);
  use.touch(principal);
  await use.flush();
  await use.flush();
  expect(written).toEqual([{ keyId: id, month: '2026-11-01', calls: 2, total: 2 }]);
  use.count(principal, now + 1_000);
  use.count(principal, Date.parse('2026-12-01T00:00:00Z'));
  await use.flush();
  expect(written.slice(1).toSorted((a, b) => (a.month < b.month ? -1 : 1))).toEqual([
    { keyId: id, month: '2026-11-01', calls: 1, total: 3 },
    { keyId: id, month: '2026-12-01', calls: 1, total: 1 },
  ]);
  const key = await db.selectFrom('apiKeys').select('lastUsedAt').where('id', '=', id).executeTakeFirst();
  expect(key?.lastUsedAt).toEqual(new Date('2026-12-01T00:00:00Z'));
});

test('no use is held up by the uses of other instances, or by keys that are revoked meanwhile', async () => {
  const keys = await Promise.all(Array.from({ length: 100 }, (_, index) => addKey(`Bot ${index}`)));
  const write = async () => {
    const use = createKeyUse({ db, boot: newId(), log, now: () => now, onWritten: () => {} });
    for (let batch = 0; batch < 20; batch++) {
      for (const { id } of keys.filter((_, index) => index % 3 !== batch % 3))
        use.count({ keyId: id, kind: 'scoped' } as Principal, now);
      await use.flush();
    }
  };
  const revoke = async () => {
    for (const { id } of keys.toReversed()) await db.deleteFrom('apiKeys').where('id', '=', id).execute();
  };
  await expect(Promise.all([write(), write(), write(), revoke()])).resolves.toBeDefined();
});

test('the list of keys comes in pages, the newest first, with the calls of this month', async () => {
  const ids: string[] = [];
  for (const [index, name] of ['one', 'two', 'three'].entries())
    ids.push((await addKey(name, now + index)).id);
  const [oldest = '', middle = '', newest = ''] = ids;
  await db
    .insertInto('keyUsage')
    .values([
      { keyId: newest, month: '2026-10-01', calls: 5 },
      { keyId: newest, month: '2026-11-01', calls: 7 },
    ])
    .execute();
  const oneByOne = createOneByOne();
  const bounds = { maxKeysPerAccount: 3 };
  const { listApiKeys } = apiKeyHandlers({
    db,
    feed,
    oneByOne,
    records: setUpRecords(),
    bounds,
    runsSession: () => Promise.resolve(false),
    now: () => now,
  });
  const list = (query: object) =>
    listApiKeys(
      { query } as Parameters<typeof listApiKeys>[0],
      { session: { accountId } } as Parameters<typeof listApiKeys>[1],
    );
  const first = await list({ limit: 2 });
  expect(first.items.map(({ id, usedThisMonth }) => [id, usedThisMonth])).toEqual([
    [newest, 7],
    [middle, 0],
  ]);
  expect(first.nextCursor).toBe(middle);
  const rest = await list({ limit: 2, cursor: middle });
  expect(rest).toMatchObject({ items: [{ id: oldest, name: 'one' }], nextCursor: null });
});

test('an account’s last key is the one that reaches the bound', async () => {
  const check = (maxKeysPerAccount: number, isReserved = false) =>
    db
      .transaction()
      .execute((trx) => checkKeyBound(trx, { maxKeysPerAccount }, { accountId, now, isReserved }));
  await addKey('one');
  await addKey('two');
  await check(3);
  await check(2, true);
  await expect(check(2)).rejects.toMatchObject({ code: 'conflict' });
});

test('an export tells of keys, their use and their requests, and of no secret', async () => {
  const { id } = await addKey('Bot');
  await db.insertInto('keyUsage').values({ keyId: id, month: '2026-11-01', calls: 7 }).execute();
  await db
    .insertInto('keyRequests')
    .values({
      id: newId(),
      accountId,
      codeHash: Buffer.from(newId()),
      appName: 'App',
      appUrl: 'https://app.example',
      scopes: ['entity:read'],
      requestedFrom: '192.0.2.1',
      expiresAt: new Date(now),
    })
    .execute();
  const exported = await keysOfAccount.readForExport(db, accountId);
  const createdAt = expect.any(Date) as unknown;
  expect(exported).toEqual({
    signIns: [],
    signInRequests: [],
    apiKeys: [
      { id, name: 'Bot', hint: expect.stringMatching(/^trk_/), ...terms, lastUsedAt: null, createdAt },
    ],
    oldKeyValues: [],
    keyUsage: [{ keyId: id, month: expect.anything(), calls: '7', refused: '0' }],
    keyRequests: [
      {
        id: expect.any(String),
        appName: 'App',
        appUrl: 'https://app.example',
        scopes: ['entity:read'],
        grantedScopes: null,
        status: 'pending',
        createdAt,
      },
    ],
  });
});

test('a world that goes leaves the keys that were bound to it, and those of others untouched', async () => {
  const { id } = await addKey('Bot');
  await db.transaction().execute(async (trx) => {
    await unbindClient(trx, { accountId: newId(), clientId: 'w1' });
    await unbindClient(trx, { accountId, clientId: 'w2' });
  });
  const key = await db.selectFrom('apiKeys').select('clientIds').where('id', '=', id).executeTakeFirst();
  expect(key?.clientIds).toEqual(['w1']);
});
