import type { Tables } from '@tabletop-relay/database';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createLostWatch } from './lost-watch.ts';

test('one look at a time reads the silent connections, and none once the watch is stopped', async () => {
  let reads = 0;
  // No connection is silent in it.
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (of) => new PostgresIntrospector(of),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: () => void reads++,
  });
  const unused = undefined as never;
  const log = pino({ level: 'silent' });
  const watch = createLostWatch({ db, cluster: unused, presence: unused, log, silentMs: 1_000 });
  watch.look();
  watch.look();
  await watch.stop();
  expect(reads).toBe(1);
  watch.look();
  await watch.stop();
  expect(reads).toBe(1);
});
