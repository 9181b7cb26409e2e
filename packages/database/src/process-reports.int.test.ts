import { createTestDatabase } from '@tabletop-relay/testing';
import { sql } from 'kysely';
import { expect, it, onTestFinished, vi } from 'vitest';
import { connectDatabase, readPool } from './connect.ts';
import { countProcesses, readProcesses, startProcessReports } from './process-reports.ts';

it('workers and browser hosts are counted while they report, and not when they have stopped or fallen silent', async () => {
  const database = await createTestDatabase();
  const log = { warn: vi.fn<() => void>() };
  const db = connectDatabase({ url: database.url, poolSize: 2, log });
  onTestFinished(async () => {
    await db.destroy();
    await database.drop();
  });
  expect(await countProcesses(db)).toEqual({ worker: 0, 'browser-host': 0 });
  const start = (kind: 'worker' | 'browser-host', boot: string) =>
    startProcessReports({ db, kind, boot, instanceId: `${kind}-${boot}`, log });
  const [first, second, host] = [start('worker', 'a'), start('worker', 'b'), start('browser-host', 'c')];
  const counted = () => countProcesses(db);
  await expect.poll(counted).toEqual({ worker: 2, 'browser-host': 1 });
  await second.stop();
  expect(await counted()).toEqual({ worker: 1, 'browser-host': 1 });
  await host.stop();
  await first.stop();
  await sql`insert into instances (boot, instance_id, held_until, seen_at, load)
    values ('killed', 'worker', now(), now() - interval '31 s', '{"process": "worker"}')`.execute(db);
  expect(await counted()).toEqual({ worker: 0, 'browser-host': 0 });
  expect(log.warn).not.toHaveBeenCalled();
});

it('a process tells by which keys it opens, and a line says which relays seal with another', async () => {
  const database = await createTestDatabase();
  const log = { warn: vi.fn<(fields: object, message: string) => void>() };
  const db = connectDatabase({ url: database.url, poolSize: 2, log });
  onTestFinished(async () => {
    await db.destroy();
    await database.drop();
  });
  await sql`insert into instances (boot, instance_id, held_until, reported_at, key_ids) values
    ('r1', 'relay-1', now(), now(), array['new', 'old']), ('r2', 'relay-2', now(), now(), array['other']),
    ('r3', 'gone', now(), now() - interval '1 min', array['another'])`.execute(db);
  const start = (boot: string, keyIds: string[]) =>
    startProcessReports({ db, kind: 'worker', boot, instanceId: `worker-${boot}`, keyIds, log });
  const reports = [start('a', ['new', 'other']), start('b', ['old', 'other'])];
  onTestFinished(() => Promise.all(reports.map((one) => one.stop())).then(() => {}));
  await expect
    .poll(() => readProcesses(db))
    .toEqual([
      { kind: 'worker', instanceId: 'worker-a', keyIds: ['new', 'other'] },
      { kind: 'worker', instanceId: 'worker-b', keyIds: ['old', 'other'] },
    ]);
  await expect.poll(() => log.warn.mock.calls.length).toBeGreaterThan(0);
  await Promise.all(reports.map((one) => one.stop()));
  expect(log.warn.mock.calls).toEqual([
    [{ relays: ['relay-1'] }, expect.stringContaining('RELAY_SECRET differs')],
  ]);
});

it('a pool tells its connections, and queries that wait for one', async () => {
  const database = await createTestDatabase();
  const db = connectDatabase({ url: database.url, poolSize: 1, log: { warn: () => {} } });
  onTestFinished(async () => {
    await db.destroy();
    await database.drop();
  });
  // As a scrape does, which asks Postgres and reads the pool in one turn.
  const dialling = sql`select 1`.execute(db);
  expect(readPool(db).waiting).toBe(0);
  await dialling;
  const asking = sql`select 1`.execute(db);
  expect(readPool(db)).toEqual({ busy: 0, idle: 1, waiting: 0 });
  await asking;
  const sleeping = [1, 2].map(() => sql`select pg_sleep(0.3)`.execute(db));
  await expect.poll(() => readPool(db)).toEqual({ busy: 1, idle: 0, waiting: 1 });
  await Promise.all(sleeping);
  expect(readPool(db)).toEqual({ busy: 0, idle: 1, waiting: 0 });
});
