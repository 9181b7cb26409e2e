import { createTestDatabase } from '@tabletop-relay/testing';
import { sql } from 'kysely';
import { expect, it, onTestFinished, vi } from 'vitest';
import { connectDatabase, readPool } from './connect.ts';
import { countProcesses, startProcessReports } from './process-reports.ts';

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
    startProcessReports({ db, kind, boot, log });
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

it('a pool tells its connections, and queries that wait for one', async () => {
  const database = await createTestDatabase();
  const db = connectDatabase({ url: database.url, poolSize: 1, log: { warn: () => {} } });
  onTestFinished(async () => {
    await db.destroy();
    await database.drop();
  });
  const sleeping = [1, 2].map(() => sql`select pg_sleep(0.3)`.execute(db));
  await expect.poll(() => readPool(db)).toEqual({ busy: 1, idle: 0, waiting: 1 });
  await Promise.all(sleeping);
  expect(readPool(db)).toEqual({ busy: 0, idle: 1, waiting: 0 });
});
