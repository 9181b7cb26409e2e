import { connectDatabase } from '@tabletop-relay/database';
import type { Database } from '@tabletop-relay/database';
import { createTestDatabase } from '@tabletop-relay/testing';
import { sql } from 'kysely';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { keepQuiet } from '../../src/notifications/outbox/keep-quiet.ts';
import { takeDue } from '../../src/notifications/take-due.ts';

const accounts = 20_000;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: Database;
let owner: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  const log = { warn: () => {} };
  db = connectDatabase({ url: database.url, poolSize: 1, log });
  owner = connectDatabase({ url: database.ownerUrl, poolSize: 1, log });
  await sql`insert into accounts (id, email, password_hash, master_key_hash, master_key_hint)
    select 'account-' || n, n || '@example.org', '', n::text::bytea, '' from generate_series(1, ${accounts}) n`.execute(
    db,
  );
});
afterAll(async () => {
  await Promise.all([db.destroy(), owner.destroy()]);
  await database.drop();
});
beforeEach(() => db.deleteFrom('notifications').execute());

/** Notifications of the accounts from the first to `last`, all due; of the operator, where `last` is 0. */
async function addDue(prefix: string, last: number, more: { status?: string; heldS?: number } = {}) {
  const { status = 'waiting', heldS = null } = more;
  await sql`insert into notifications
      (id, account_id, target, kind, label, status, events, event_count, next_try_at, held_until)
    select ${prefix} || n, case when n > 0 then 'account-' || n end, ${prefix} || n, 'standard', '', ${status},
      jsonb_build_array(jsonb_build_object('event', case when n = 1 then 'security' else 'connect' end)), 1,
      now() - interval '1 minute', now() + ${heldS}::int * interval '1 s'
    from generate_series(least(1, ${last}::int), ${last}::int) n`.execute(db);
}

/** Asks how Postgres would do a raw query, in place of doing it. */
const explaining: KyselyPlugin = {
  transformQuery({ node }) {
    if (node.kind !== 'RawNode') return node;
    const [first = '', ...others] = node.sqlFragments;
    return { ...node, sqlFragments: [`explain ${first}`, ...others] };
  },
  transformResult: ({ result }) => Promise.resolve(result),
};

const take = (plugins: KyselyPlugin[] = []) =>
  db.transaction().execute((trx) =>
    takeDue(
      plugins.reduce((one, plugin) => one.withPlugin(plugin), trx),
      1_000,
    ),
  );

it('what is due is not compared with all that is held', async () => {
  await addDue('due-', accounts);
  await addDue('held-', accounts / 2, { heldS: 60 });
  await sql`analyze notifications`.execute(owner);
  const plan = (await take([explaining])).map((line) => Object.values(line).join('')).join('\n');
  expect(plan).toMatch(/(Hash|Merge) (Right )?Anti Join/);
  const taken = await take();
  expect(taken).toHaveLength(100);
  expect(taken.filter(({ id }) => Number(id.replace('due-', '')) <= accounts / 2)).toEqual([]);
});

it('the operator, too, is told of one thing at a time', async () => {
  await addDue('first-', 0, { heldS: 60 });
  await addDue('second-', 0);
  expect(await take()).toEqual([]);
  await db.deleteFrom('notifications').where('id', '=', 'first-0').execute();
  expect(await take()).toEqual([{ id: 'second-0', try: 1 }]);
});

it('of all that is due in quiet hours only the hours are read, and what is urgent stays due', async () => {
  const clock = (inMinutes: number) => new Date(Date.now() + inMinutes * 60_000).toISOString().slice(11, 16);
  await sql`insert into notification_settings
      (account_id, events, email_enabled, batch_seconds, quiet_from, quiet_to, time_zone)
    select id, '{}', true, 0, ${clock(-60)}, ${clock(120)}, case when id like '%0' then 'UTC' else 'Etc/UTC' end
    from accounts`.execute(db);
  await addDue('due-', 1_000, { status: 'collecting' });
  let read = 0;
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult({ result }) {
      read += result.rows.length;
      return Promise.resolve(result);
    },
  };
  await db.transaction().execute((trx) => keepQuiet(trx.withPlugin(counting), new Date()));
  expect(read).toBe(2);
  expect(await take()).toEqual([{ id: 'due-1', try: 1 }]);
});
