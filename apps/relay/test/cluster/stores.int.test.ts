import { connectDatabase } from '@tabletop-relay/database';
import { createTestDatabase } from '@tabletop-relay/testing';
import { sql } from 'kysely';
import { pino } from 'pino';
import Value from 'typebox/value';
import { expect, it, onTestFinished } from 'vitest';
import { RelayConfigSchema } from '../../src/config.ts';
import type { RelayConfig } from '../../src/config.ts';
import { createCredentialFeed } from '../../src/credentials/changes/credential-feed.ts';
import { createHoldStore } from '../../src/instances/hold-store.ts';
import { openStores } from '../../src/stores.ts';

it('a relay under the role that owns the tables works, and warns once at its start', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const warningsUnder = async (databaseUrl: string) => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const config = Value.Default(RelayConfigSchema, { databaseUrl }) as RelayConfig;
    const stores = await openStores(config, log);
    await stores.close();
    return lines;
  };
  expect(await warningsUnder(database.ownerUrl)).toEqual([
    expect.stringMatching(/the role of DATABASE_URL owns the tables.*MIGRATE_DATABASE_URL/),
  ]);
  expect(await warningsUnder(database.url)).toEqual([]);
});

it('holds and revocations do not wait for the connections that everything else uses', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const log = pino({ level: 'silent' });
  const config = Value.Default(RelayConfigSchema, {
    databaseUrl: database.url,
    databasePool: 2,
  }) as RelayConfig;
  const { db, vitalDb, close } = await openStores(config, log);
  // Without Redis only the polls keep the feed fresh.
  const broadcast = {
    publish: () => Promise.reject(new Error('Redis is away')),
    subscribe: () => () => {},
    onGap: () => () => {},
  };
  const feed = createCredentialFeed({
    db, pollDb: vitalDb, broadcast, log, pollMs: 20, freshMs: 500, settings: { credentialTrustMs: 600_000 },
  }); // prettier-ignore
  onTestFinished(async () => {
    await feed.stop();
    await close();
  });
  await feed.start();
  let ended = 0;
  const busy = Promise.all([1, 2].map(() => sql`select pg_sleep(3)`.execute(db).then(() => ended++)));
  const holds = createHoldStore(vitalDb, 'test');
  await holds.hold('boot', [0], 6_000);
  expect(await holds.isHeld('boot', 0)).toBe(true);
  // Longer than the feed counts as fresh without a poll.
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect([feed.isFresh(), ended]).toEqual([true, 0]);
  await busy;
});

it('an instance holds each shard for itself, and all of them where its release knows no shards', async () => {
  const database = await createTestDatabase();
  const db = connectDatabase({ url: database.url, poolSize: 1, log: pino({ level: 'silent' }) });
  onTestFinished(async () => {
    await db.destroy();
    await database.drop();
  });
  const holds = createHoldStore(db, 'test');
  const held = (boot: string) => Promise.all([0, 1].map((shard) => holds.isHeld(boot, shard)));
  await holds.hold('boot', [1], 60_000);
  expect(await held('boot')).toEqual([false, true]);
  await holds.hold('boot', [0], 60_000);
  expect(await held('boot')).toEqual([true, true]);
  await holds.hold('boot', [1], 0);
  expect(await held('boot')).toEqual([true, false]);
  await sql`insert into instances (boot, held_until) values ('older', now() + interval '1 minute')`.execute(
    db,
  );
  expect(await held('older')).toEqual([true, true]);
});
