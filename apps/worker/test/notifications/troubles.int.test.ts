import { auditWords } from '@tabletop-relay/contract';
import type { LoggedAudit } from '@tabletop-relay/contract';
import { connectDatabase } from '@tabletop-relay/database';
import type { Database } from '@tabletop-relay/database';
import { createTestDatabase } from '@tabletop-relay/testing';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tellTroubles } from '../../src/notifications/troubles.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  db = connectDatabase({ url: database.url, poolSize: 3, log: pino({ level: 'silent' }) });
  await sql`insert into accounts (id, email, password_hash, master_key_hash, master_key_hint)
    values ('account', 'a@example.org', '', 'h', '')`.execute(db);
  await sql`insert into api_keys (id, account_id, hash, hint, name, scopes, monthly_limit, expires_at, last_used_at)
    values ('spent', 'account', 'h1', '', 'Spent', '{roll:execute}', 5, null, now()),
      ('thrifty', 'account', 'h2', '', 'Thrifty', '{roll:execute}', 6, null, now()),
      ('stale', 'account', 'h3', '', 'Stale', '{roll:execute}', null, now() - interval '1 hour', null),
      ('silent', 'account', 'h4', '', 'Silent', '{roll:execute}', null, now() - interval '1 hour', null)`.execute(
    db,
  );
  await sql`insert into key_usage (key_id, month, calls)
    select id, date_trunc('month', now() at time zone 'UTC'), 5 from api_keys`.execute(db);
  await sql`insert into call_hours
    values ('account', date_trunc('hour', now()), 'stale', '', 'key_expired', 9, '{}', '{}')`.execute(db);
  await sql`insert into webhooks (id, account_id, kind, label, sealed_url, failing_since)
    values ('failing', 'account', 'discord', 'discord.com', '', now() - interval '20 minutes'),
      ('stumbled', 'account', 'discord', 'slack.com', '', now() - interval '1 minute')`.execute(db);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

async function readNotices(): Promise<string[]> {
  const notices = await db.deleteFrom('notices').returning('record').execute();
  return notices.map(({ record }) => auditWords(record as unknown as LoggedAudit).sentence).toSorted();
}

it('troubles are told once, in the words of the page, and again when they came anew', async () => {
  await tellTroubles(db);
  expect(await readNotices()).toEqual([
    'Messages to the webhook at discord.com fail.',
    'The key “Spent” has reached its limit of 5 a month.',
    'The key “Stale” has expired, and a program still calls with it.',
  ]);
  await tellTroubles(db);
  expect(await readNotices()).toEqual([]);
  await sql`update told_troubles set at = now() - interval '60 days' where subject_id = 'spent'`.execute(db);
  await sql`update told_troubles set at = now() - interval '1 day' where subject_id = 'failing'`.execute(db);
  await tellTroubles(db);
  expect(await readNotices()).toEqual([
    'Messages to the webhook at discord.com fail.',
    'The key “Spent” has reached its limit of 5 a month.',
  ]);
  const { rows } = await sql<{ count: string }>`select count(*) as count from audit_log`.execute(db);
  expect(rows).toEqual([{ count: '5' }]);
});
