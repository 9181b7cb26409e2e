import { connectDatabase, newId } from '@tabletop-relay/database';
import { createMemoryShortLived } from '@tabletop-relay/headless';
import { createAddressGuard } from '@tabletop-relay/outbound';
import { createTestDatabase, headlessSession } from '@tabletop-relay/testing';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { StageFailure } from '../src/adapters/adapter.ts';
import { createSessionJob } from '../src/sessions/session-job.ts';
import type { SessionJobDeps } from '../src/sessions/session-job.ts';

it('a session ends though the page’s words are none that Postgres takes', async () => {
  const log = pino({ level: 'silent' });
  const database = await createTestDatabase();
  const db = connectDatabase({ url: database.url, poolSize: 2, log });
  onTestFinished(async () => {
    await db.destroy();
    await database.drop();
  });
  const id = newId();
  await db
    .insertInto('accounts')
    .values({
      id,
      email: `${id}@example.org`,
      passwordHash: '',
      masterKeyHint: '',
      masterKeyHash: Buffer.from(id),
    })
    .execute();
  await db
    .insertInto('headlessSessions')
    .values({ ...headlessSession(id), accountId: id })
    .execute();
  const watched: string[] = [];
  const notices = {
    on: (sessionId: string) => {
      watched.push(sessionId);
      return () => watched.push('left');
    },
  };
  const deps = {
    db,
    log,
    host: 'a host',
    kept: createMemoryShortLived(),
    guard: createAddressGuard({ allow: [] }),
    startBrowser: () => Promise.reject(new StageFailure(`The page says: a\0b${'x'.repeat(10_000)}`)),
    adapters: [],
    settings: {} as SessionJobDeps['settings'],
    sessions: new Set(),
    beats: { hurry: () => {} },
    notices,
    queue: { add: () => Promise.reject(new Error('not asked')) },
    canHandOver: false,
    onEnd: () => {},
  } as unknown as SessionJobDeps;
  const job = { replacePayload: () => Promise.resolve() } as unknown as Parameters<
    ReturnType<typeof createSessionJob>
  >[1];
  await createSessionJob(deps)({ sessionId: id }, job);
  const row = await db.selectFrom('headlessSessions').select(['state', 'detail']).executeTakeFirstOrThrow();
  expect(row).toEqual({ state: 'failed', detail: expect.stringMatching(/^The page says: abx{1000,2000}$/) });
  expect(watched).toEqual([id, 'left']);
});
