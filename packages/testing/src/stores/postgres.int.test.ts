import { checkVersion, connectDatabase } from '@tabletop-relay/database';
import { expect, test } from 'vitest';
import { createTestDatabase, startPostgres } from './postgres.ts';

const log = { warn: () => {} };

test('a test database is migrated, and what one holds the next does not', async () => {
  const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const [first, second] = [one, two].map(({ url }) => connectDatabase({ url, poolSize: 1, log }));
  await checkVersion(first!);
  await first!.insertInto('instances').values({ boot: 'x', heldUntil: new Date() }).execute();
  expect(await second!.selectFrom('instances').selectAll().execute()).toEqual([]);
  await Promise.all([first!.destroy(), second!.destroy(), one.drop(), two.drop()]);
});

test('a private server that was killed comes back with its data, at the same URL', async () => {
  const server = await startPostgres();
  const db = connectDatabase({ url: server.url, poolSize: 2, log });
  try {
    await db.insertInto('instances').values({ boot: 'x', heldUntil: new Date() }).execute();
    await server.kill();
    await expect(db.selectFrom('instances').selectAll().execute()).rejects.toThrow(/terminat|ENOENT/);
    await server.restart();
    expect(await db.selectFrom('instances').select('boot').execute()).toEqual([{ boot: 'x' }]);
  } finally {
    await db.destroy();
    await server.stop();
  }
});
