import { createQuotas, createRedisLedger } from '@tabletop-relay/limits';
import { connectDatabase } from '@tabletop-relay/database';
import type { Database } from '@tabletop-relay/database';
import { createTestDatabase, spawnBound, startRedis, waitFor } from '@tabletop-relay/testing';
import { sql } from 'kysely';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expire } from '../src/jobs/expiry.ts';
import { keepCalls, keepRecords } from '../src/jobs/retention.ts';
import { rollUpUsage } from '../src/jobs/usage-roll-up.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: Database;
let owner: Database;
const log = { warn: () => {} };
const { signal } = new AbortController();
const keptDays = { connectionLogs: 90, remoteRequestLogs: 30, auditLog: 365, notifications: 30 };

beforeAll(async () => {
  database = await createTestDatabase();
  db = connectDatabase({ url: database.url, poolSize: 3, log });
  owner = connectDatabase({ url: database.ownerUrl, poolSize: 1, log });
  await sql`insert into accounts (id, email, password_hash, master_key_hash, master_key_hint)
    values ('account', 'a@example.org', '', 'h', '')`.execute(db);
});
afterAll(async () => {
  await Promise.all([db.destroy(), owner.destroy()]);
  await database.drop();
});

const idsOf = async (table: string) => {
  const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)} order by id`.execute(db);
  return rows.map((row) => row.id);
};

describe('expiry', () => {
  it('deletes what has had its time, keeps used codes a day for those who come late, and touches no other', async () => {
    await sql`insert into sessions (id, account_id, hash, user_agent, ip_address, expires_at)
      select 'session-' || hours, 'account', ('h' || hours)::bytea, '', '', now() + hours * interval '1 hour'
      from unnest(array[-1, 1]) hours`.execute(db);
    await sql`insert into sessions (id, account_id, hash, user_agent, ip_address, expires_at, idle_expires_at)
      values ('session-idle', 'account', 'hi', '', '', now() + interval '1 hour', now() - interval '1 second')`.execute(
      db,
    );
    await sql`insert into pairing_codes (id, account_id, code_hmac, created_from, expires_at)
      select 'code-' || hours, 'account', ('h' || hours)::bytea, '', now() - hours * interval '1 hour'
      from unnest(array[25, 1]) hours`.execute(db);
    const deleted = await expire(db, signal);
    expect(deleted).toEqual({ sessions: 2, pairingCodes: 1 });
    expect(await idsOf('sessions')).toEqual(['session-1']);
    expect(await idsOf('pairing_codes')).toEqual(['code-1']);
  });

  it('deletes a headless session a day after its end, with what its page showed, and none that runs', async () => {
    await sql`insert into headless_sessions (id, account_id, tabletop_url, username, world_name, state, ended_at)
      select 'headless-' || hours, 'account', 'https://' || hours || '.example', 'Ada', '',
        case when hours = 0 then 'active' else 'failed' end,
        case when hours > 0 then now() - hours * interval '1 hour' end
      from unnest(array[25, 23, 0]) hours`.execute(db);
    await sql`insert into headless_views (session_id, picture) select id, 'jpeg' from headless_sessions`.execute(
      db,
    );
    expect(await expire(db, signal)).toEqual({ headlessSessions: 1 });
    expect(await idsOf('headless_sessions')).toEqual(['headless-0', 'headless-23']);
    const { rows } = await sql`select from headless_views`.execute(db);
    expect(rows).toHaveLength(2);
  });

  it('deletes more than one batch, and stops when it is told to', async () => {
    const fill = sql`insert into password_resets (hash, account_id, expires_at)
      select decode(lpad(to_hex(n), 8, '0'), 'hex'), 'account', now() - interval '1 hour'
      from generate_series(1, 12000) n`;
    await fill.execute(db);
    expect(await expire(db, signal)).toEqual({ passwordResets: 12_000 });
    await expect(expire(db, AbortSignal.abort())).rejects.toThrow('aborted');
  });
});

describe('the retention of calls', () => {
  it('drops days and hours that are over their time, and counts that no page draws, and makes those to come', async () => {
    const partitions = async (table: string) => {
      const { rows } = await sql<{ name: string }>`
        select inhrelid::regclass::text as name from pg_inherits where inhparent = ${table}::regclass`.execute(
        db,
      );
      return rows.map(({ name }) => name).toSorted();
    };
    const addPartition = async (table: string, hoursAgo: number, hours: number) => {
      const length = hours * 3_600_000;
      const from = new Date(Math.floor((Date.now() - hoursAgo * 3_600_000) / length) * length);
      const digits = from
        .toISOString()
        .replaceAll(/\D/g, '')
        .slice(0, hours === 1 ? 10 : 8);
      const to = new Date(from.getTime() + length).toISOString();
      await sql`create table ${sql.table(`${table}_${digits}`)} partition of ${sql.table(table)}
        for values from (${sql.lit(from.toISOString())}) to (${sql.lit(to)})`.execute(owner);
      return `${table}_${digits}`;
    };
    const [oldDay, keptDay] = [
      await addPartition('call_log', 9 * 24, 24),
      await addPartition('call_log', 5 * 24, 24),
    ];
    const [oldHour, keptHour] = [
      await addPartition('call_bodies', 26, 1),
      await addPartition('call_bodies', 20, 1),
    ];
    const last = (await partitions('call_bodies')).at(-1) ?? '';
    await sql`drop table ${sql.table(last)}`.execute(owner);
    await sql`insert into call_hours select 'account', now() - days * interval '1 day', 'k', '', days::text, 1, '{}', '{}'
      from unnest(array[9, 5]) days`.execute(db);
    await sql`insert into call_minutes select now() - hours * interval '1 hour', 'i', hours::text, 1
      from unnest(array[49, 47]) hours`.execute(db);

    await keepCalls(db, 7, signal);

    const after = [...(await partitions('call_log')), ...(await partitions('call_bodies'))];
    expect(after).toEqual(expect.arrayContaining([keptDay, keptHour, last]));
    expect(after).not.toContain(oldDay);
    expect(after).not.toContain(oldHour);
    const { rows } = await sql<{ outcome: string }>`select outcome from call_hours`.execute(db);
    expect(rows).toEqual([{ outcome: '5' }]);
    const minutes = await sql<{ outcome: string }>`select outcome from call_minutes`.execute(db);
    expect(minutes.rows).toEqual([{ outcome: '47' }]);
  });
});

describe('retention', () => {
  it('drops the weeks that are over their time, of each record its own, and makes those to come', async () => {
    const partitions = async () => {
      const { rows } = await sql<{ name: string }>`
        select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where c.relkind = 'r'`.execute(db);
      return rows.map((row) => row.name);
    };
    const before = await partitions();
    const old = (days: number) => new Date(Date.now() - days * 86_400_000);
    for (const [table, days] of [
      ['connection_logs', 120],
      ['audit_log', 120],
      ['remote_request_logs', 45],
      ['connection_logs', 45],
    ] as const) {
      const from = old(days);
      const name = `${table}_${from.toISOString().slice(0, 10).replaceAll('-', '')}`;
      const to = new Date(from.getTime() + 7 * 86_400_000);
      await sql`create table ${sql.table(name)} partition of ${sql.table(table)}
        for values from (${sql.lit(from.toISOString())}) to (${sql.lit(to.toISOString())})`.execute(owner);
    }
    const last =
      before
        .filter((name) => name.startsWith('audit_log'))
        .toSorted()
        .at(-1) ?? '';
    await sql`drop table ${sql.table(last)}`.execute(owner);
    const added = (await partitions()).filter((name) => !before.includes(name));
    await keepRecords(db, keptDays, signal);
    const after = await partitions();
    expect(after).toContain(last);
    expect(
      added
        .filter((name) => after.includes(name))
        .map((name) => name.replace(/_\d+$/, ''))
        .toSorted(),
    ).toEqual(['audit_log', 'connection_logs']);
  });
});

describe('what is over its time and fills more than a batch', () => {
  beforeAll(async () => {
    // Stands for the time that a statement may take.
    await sql`create function refuse_many() returns trigger language plpgsql as $$ begin
      if (select count(*) from gone) > 5000 then raise exception 'too many at once'; end if;
      return null;
    end $$`.execute(owner);
    for (const table of ['notifications', 'call_hours']) {
      await sql`create trigger refuse_many after delete on ${sql.table(table)}
        referencing old table as gone for each statement execute function refuse_many()`.execute(owner);
    }
  });

  it('is deleted where it is notifications, and none that is young or still tried', async () => {
    await sql`insert into notifications
        (id, target, kind, label, status, events, event_count, created_at, next_try_at)
      select n::text, n::text, 'email', '', case when n = 1 then 'waiting' else 'sent' end, '[]', 1,
        case when n = 2 then now() else now() - interval '31 days' end, now() + interval '1 day'
      from generate_series(1, 12000) n`.execute(db);
    await expect(keepRecords(db, keptDays, AbortSignal.abort())).rejects.toThrow('aborted');
    await keepRecords(db, keptDays, signal);
    expect(await idsOf('notifications')).toEqual(['1', '2']);
  });

  it('is deleted where it is counts of calls', async () => {
    await sql`insert into call_hours
      select 'account', now() - interval '9 days', n::text, 'many', 'ok', 1, '{}', '{}' from generate_series(1, 12000) n`.execute(
      db,
    );
    await keepCalls(db, 7, signal);
    const { rows } = await sql`select from call_hours where client_id = 'many'`.execute(db);
    expect(rows).toEqual([]);
  });
});

describe('the usage roll-up', () => {
  it('tells the counters what was written down by an instance that died before it said so', async () => {
    const redis = await startRedis();
    const month = `${new Date().toISOString().slice(0, 7)}-01`;
    await sql`insert into api_keys (id, account_id, hash, hint, name, scopes, monthly_limit, last_used_at)
      values ('key', 'account', 'h', '', '', '{clients:read}', 10, now())`.execute(db);
    const quotas = createQuotas({ ledger: createRedisLedger({ url: redis.url, boot: 'one' }) });
    await quotas.start();
    const limiter = quotas.persistent('month', () => Promise.resolve(0));
    for (let call = 0; call < 3; call++) {
      expect((await limiter.spend(`key:${month}`, 10)).allowed).toBe(true);
    }
    await sql`insert into key_usage values ('key', ${month}, 5)`.execute(db);
    const ledger = createRedisLedger({ url: redis.url, boot: 'worker' });
    expect(await rollUpUsage(db, ledger)).toBe(1);
    let allowed = 0;
    while ((await limiter.spend(`key:${month}`, 10)).allowed) allowed++;
    expect(allowed).toBe(2);
    await ledger.close();
    await quotas.stop();
    await redis.stop();
  });
});

describe('the process', () => {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

  it.each(['Redis', 'Postgres'])(
    'starts, and ends in order at SIGTERM, with the queue on %s',
    async (store) => {
      const redis = store === 'Redis' ? await startRedis() : undefined;
      const env = {
        DATABASE_URL: database.url,
        MIGRATE_DATABASE_URL: database.ownerUrl,
        REDIS_URL: redis?.url ?? '',
        RELAY_SECRET: 'a secret for tests; long enough.',
        LOG_LEVEL: 'info',
      };
      const worker = spawnBound({ command: process.execPath, env }, [main]);
      let output = '';
      for (const stream of [worker.process.stdout, worker.process.stderr]) {
        stream?.on('data', (data: Buffer) => (output += data.toString()));
      }
      await waitFor(() => output.includes('working jobs off'), { timeoutMs: 20_000 });
      await worker.end('SIGTERM');
      expect(worker.process.exitCode).toBe(0);
      expect(output).toContain('"msg":"stopped"');
      // Each line says of which process it is.
      const lines = output.trim().split('\n');
      expect(lines.filter((line) => !/"instance":"\S+-[\da-f]{6}","version":"\d/.test(line))).toEqual([]);
      await redis?.stop();
    },
  );
});
