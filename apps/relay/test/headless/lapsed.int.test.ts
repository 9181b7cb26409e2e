import { headlessSession } from '@tabletop-relay/testing';
import { createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { connectDatabase } from '@tabletop-relay/database';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLapseWatch } from '../../src/headless/lapse-watch.ts';
import type { LapseWatch } from '../../src/headless/lapse-watch.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let account: TestAccount;
let accountId: string;
beforeAll(async () => {
  cluster = await startInstances();
  account = await createAccount(cluster.instances[0].url);
  const owner = await cluster.db.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  accountId = owner.id;
});
afterAll(() => cluster.stop());

function watch(): LapseWatch {
  const { db } = cluster;
  return createLapseWatch({
    db,
    feed: { change: (work) => db.transaction().execute((trx) => work(trx, () => {})) },
    log: pino({ level: 'silent' }),
    settings: { headlessLapseMs: 60_000, headlessStartMs: 120_000 },
  });
}

interface Given {
  state: 'starting' | 'active' | 'ending';
  run?: number;
  seenS?: number;
  createdS?: number;
}

let count = 0;
/** A session as a host and a relay left it, that many seconds ago. */
async function leave({ state, run = 1, seenS, createdS = 0 }: Given): Promise<string> {
  const id = `lapse${++count}`;
  const ago = (seconds: number | undefined) =>
    seconds === undefined ? sql<Date>`null` : sql<Date>`now() - ${seconds} * interval '1 s'`;
  await cluster.db
    .insertInto('headlessSessions')
    .values({
      ...headlessSession(id),
      accountId,
      sealKey: Buffer.alloc(32),
      state,
      run,
      seenAt: ago(seenS),
      createdAt: ago(createdS),
    })
    .execute();
  await cluster.db.insertInto('headlessViews').values({ sessionId: id }).execute();
  return id;
}

async function listed(id: string): Promise<Record<string, unknown> | undefined> {
  const { body } = await account.as('GET', '/auth/headless-sessions');
  return (body['items'] as Record<string, unknown>[]).find((session) => session['id'] === id);
}

it.each<[string, Given, string, RegExp]>([
  [
    'an active session whose hosts all died fails',
    { state: 'active', seenS: 61 },
    'failed',
    /host went away/,
  ],
  ['one that was to end then has ended', { state: 'ending', seenS: 61 }, 'ended', /host went away/],
  [
    'a start that no relay follows fails',
    { state: 'starting', run: 0, createdS: 136 },
    'failed',
    /relay that started it went away/,
  ],
  [
    'one that was to end before a host had it then has ended',
    { state: 'ending', run: 0, createdS: 136 },
    'ended',
    /relay that started it went away/,
  ],
])('%s, at the second look that finds it so', async (_what, given, state, detail) => {
  const id = await leave(given);
  const lapses = watch();
  await lapses.look();
  expect(await listed(id)).toMatchObject({ state: given.state, endedAt: null });
  await lapses.look();
  expect(await listed(id)).toMatchObject({ state, detail: expect.stringMatching(detail) });
  const row = cluster.db.selectFrom('headlessSessions').select('sealKey').where('id', '=', id);
  expect(await row.executeTakeFirstOrThrow()).toEqual({ sealKey: null });
});

it.each<[string, Given]>([
  ['whose host writes', { state: 'active', seenS: 1, createdS: 9_000 }],
  ['that another host may still take', { state: 'active', seenS: 45 }],
  ['that is starting', { state: 'starting', run: 0, createdS: 100 }],
])('a session %s stays', async (_what, given) => {
  const id = await leave(given);
  const lapses = watch();
  await lapses.look();
  await lapses.look();
  expect(await listed(id)).toMatchObject({ state: given.state, endedAt: null });
});

it('a session that a host takes between two looks stays', async () => {
  const id = await leave({ state: 'active', seenS: 61 });
  const lapses = watch();
  await lapses.look();
  await cluster.db.updateTable('headlessSessions').set({ run: 2 }).where('id', '=', id).execute();
  await lapses.look();
  expect(await listed(id)).toMatchObject({ state: 'active' });
});

it('after Postgres was away, hosts get the time to say that they live', async () => {
  const id = await leave({ state: 'active', seenS: 61 });
  const owner = connectDatabase({ url: cluster.ownerUrl, poolSize: 1, log: pino({ level: 'silent' }) });
  const lapses = watch();
  await lapses.look();
  await sql`alter table headless_sessions rename to away`.execute(owner);
  await expect(lapses.look()).rejects.toThrow('does not exist');
  await sql`alter table away rename to headless_sessions`.execute(owner);
  await owner.destroy();
  await lapses.look();
  expect(await listed(id)).toMatchObject({ state: 'active' });
  await lapses.look();
  expect(await listed(id)).toMatchObject({ state: 'failed' });
});
