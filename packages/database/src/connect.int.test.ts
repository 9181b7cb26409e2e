import { once } from 'node:events';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { createTestDatabase, execute, setReadOnly, startPostgres } from '@tabletop-relay/testing';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connectDatabase, isDatabaseAway, takesNoWrites, tryWriting } from './connect.ts';
import { appRole } from './roles.ts';

const log = { warn: vi.fn<(detail: object, message: string) => void>() };

test('a Postgres that dies fails the query that runs and nothing else', async () => {
  const server = await startPostgres();
  const db = connectDatabase({ url: server.url, poolSize: 3, log });
  onTestFinished(async () => {
    await db.destroy();
    await server.stop();
  });
  let kill = () => {};
  const killed = new Promise<void>((resolve) => (kill = resolve));
  const inUse = db.connection().execute(async (connection) => {
    // Wait until the query runs on the server. Before that, the failure would be one of connecting.
    await vi.waitFor(async () => {
      const active = sql`select from pg_stat_activity where query like 'select pg_sleep%'`;
      expect((await active.execute(connection)).rows).toHaveLength(1);
    });
    kill();
    await vi.waitFor(() => expect(log.warn).toHaveBeenCalled(), 10_000);
  });
  const running = sql`select pg_sleep(60)`.execute(db).catch((error: unknown) => String(error));
  await killed;
  await server.kill();
  expect(await running).toMatch(/terminat/);
  await inUse;
  await server.restart();
  await expect(sql<{ one: number }>`select 1 as one`.execute(db)).resolves.toMatchObject({
    rows: [{ one: 1 }],
  });
});

test('between the change of a password and that of its file new connections wait, and open ones go on', async () => {
  const server = await startPostgres({ asksPasswords: true });
  const setPassword = (password: string) =>
    execute(server.ownerUrl, `alter role ${appRole} password '${password}'`);
  const withPassword = (password: string) => server.url.replace('@', `:${password}@`);
  let url = withPassword('one');
  let dials = 0;
  const reread = () => {
    dials++;
    return url;
  };
  await setPassword('one');
  const db = connectDatabase({ url, reread, poolSize: 2, log });
  const fixed = connectDatabase({ url, poolSize: 1, log });
  onTestFinished(async () => {
    await Promise.all([db.destroy(), fixed.destroy()]);
    await server.stop();
  });
  await db.connection().execute(async (open) => {
    await setPassword('two');
    const before = dials;
    const waits = sql`select 1`.execute(db);
    await vi.waitFor(() => expect(dials).toBeGreaterThan(before + 10), 10_000);
    await sql`select 1`.execute(open);
    url = withPassword('two');
    await waits;
  });
  await expect(sql`select 1`.execute(fixed)).rejects.toThrow('password authentication failed');
});

test('a connection that breaks while all are ended is no news', async () => {
  const { url, drop } = await createTestDatabase();
  const warn = vi.fn<() => void>();
  const [db, other] = [warn, () => {}].map((told) =>
    connectDatabase({ url, poolSize: 1, log: { warn: told } }),
  );
  if (!db || !other) throw new Error('unreachable');
  await db.connection().execute(async (connection) => {
    const asked = sql<{ pid: number }>`select pg_backend_pid() as pid`;
    const [{ pid } = { pid: 0 }] = (await asked.execute(connection)).rows;
    const ended = db.destroy();
    await sql`select pg_terminate_backend(${pid})`.execute(other);
    // A connection that is ended between two queries fails the next one with other words.
    const broken = /terminat|not queryable/;
    await vi.waitFor(() => expect(sql`select 1`.execute(connection)).rejects.toThrow(broken), 10_000);
    onTestFinished(() => ended);
  });
  expect(warn).not.toHaveBeenCalled();
  await other.destroy();
  await drop();
});

test('a statement is ended by the server at its time-out', async () => {
  const { url, drop } = await createTestDatabase();
  const db = connectDatabase({ url, poolSize: 1, log, statementTimeoutMs: 50 });
  await expect(sql`select pg_sleep(60)`.execute(db)).rejects.toThrow('statement timeout');
  await db.destroy();
  await drop();
});

test('a connection that fell silent is not handed out again', async () => {
  const { url, drop } = await createTestDatabase();
  const proxy = await silenceable(url);
  const db = connectDatabase({ url: proxy.url, poolSize: 1, log, statementTimeoutMs: 100 });
  await sql`select 1`.execute(db);
  proxy.silence();
  await expect(sql`select 1`.execute(db)).rejects.toThrow('Query read timeout');
  // The old connection stays silent; only a new one can answer.
  expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  await db.destroy();
  proxy.close();
  await drop();
});

test('a connection that is read-only is given up, so that writes succeed as soon as Postgres takes them again', async () => {
  const { url, ownerUrl, drop } = await createTestDatabase();
  await setReadOnly(ownerUrl, true);
  const db = connectDatabase({ url, poolSize: 1, log });
  const write = () => tryWriting(db);
  await sql`select 1`.execute(db);
  // The connection stays, and would stay read-only.
  await setReadOnly(ownerUrl, false);
  await expect(write()).rejects.toMatchObject({ code: '25006' });
  await write();
  await db.destroy();
  await drop();
});

test('each new connection takes the URL as it is by then', async () => {
  const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  let url = one.url;
  const db = connectDatabase({ url, poolSize: 1, log, reread: () => url });
  const current = async () => {
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
    return rows[0]?.name ?? '';
  };
  expect(one.url).toContain(await current());
  url = two.url;
  expect(one.url).toContain(await current());
  await sql`select pg_terminate_backend(pg_backend_pid())`.execute(db).catch(() => {});
  const isTwo = async () => two.url.includes(await current().catch(() => 'none'));
  await expect.poll(isTwo).toBe(true);
  await db.destroy();
  await Promise.all([one.drop(), two.drop()]);
});

const failure = (code: string, message = 'x') => Object.assign(new Error(message), { code });

describe('a server that cannot serve now', () => {
  test.each([
    ['08006', 'connection failure'],
    ['25006', 'a replica, or read-only'],
    ['25P03', 'a transaction of ours stood still'],
    ['28000', 'no entry for this role or address'],
    ['28P01', 'the password was changed'],
    ['3D000', 'the database is just being restored'],
    ['40001', 'a replica cancelled the statement'],
    ['40P01', 'deadlock'],
    ['53100', 'disk full'],
    ['53200', 'out of memory'],
    ['53300', 'too many connections'],
    ['53400', 'a limit of the server'],
    ['55P03', 'a lock was not given'],
    ['57014', 'statement time-out'],
    ['57P01', 'shutting down'],
    ['57P02', 'crashed'],
    ['57P03', 'starting'],
    ['57P04', 'the database was dropped'],
    ['57P05', 'idle connection ended'],
    ['58030', 'its disk fails'],
    ['ECONNREFUSED', 'nobody listens'],
  ])('%s, %s, is no bug of ours', (code) => {
    expect(isDatabaseAway(failure(code))).toBe(true);
  });

  test.each([
    ['22P02', 'a value of the wrong form'],
    ['23505', 'a row that is there already'],
    ['42501', 'a right that was not granted'],
    ['42601', 'a statement that is none'],
    ['42P01', 'a table that is not there'],
    ['XX000', 'a bug of Postgres'],
    ['ENOTDIR', 'a file'],
  ])('%s, %s, is', (code) => {
    expect(isDatabaseAway(failure(code))).toBe(false);
  });

  test.each([['Connection terminated unexpectedly'], ['Query read timeout']])(
    '%s is no bug of ours',
    (message) => {
      expect(isDatabaseAway(new Error(message))).toBe(true);
      expect(isDatabaseAway({ message })).toBe(false);
    },
  );
});

test('a server that is read-only or full goes on answering what only reads', () => {
  expect(['25006', '53100'].map((code) => takesNoWrites(failure(code)))).toEqual([true, true]);
  expect(['57P03', '53300', 'ECONNREFUSED'].map((code) => takesNoWrites(failure(code)))).toEqual([
    false,
    false,
    false,
  ]);
});

/** Passes connections on to the server's socket. When told, the existing ones stay open and pass nothing more. */
async function silenceable(url: string) {
  const target = new URL(url.replace('@/', '@socket/'));
  const host = target.searchParams.get('host') ?? '';
  const open: net.Socket[] = [];
  const server = net.createServer((client) => {
    const upstream = net.connect({ path: `${host}/.s.PGSQL.5432` });
    for (const socket of [client, upstream]) socket.on('error', () => {});
    client.pipe(upstream).pipe(client);
    open.push(client, upstream);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgres://postgres@127.0.0.1:${port}${target.pathname}`,
    silence: () => open.forEach((socket) => socket.unpipe().pause()),
    close() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
