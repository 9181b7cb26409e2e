import { createMemoryCluster, createMemoryHub } from '@tabletop-relay/cluster';
import type { Broadcast } from '@tabletop-relay/cluster';
import { connectDatabase, type Database } from '@tabletop-relay/database';
import { createTestDatabase, startPostgres } from '@tabletop-relay/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeCredentials, createCredentialFeed } from './credential-feed.ts';
import type { CredentialEvent, CredentialFeed } from './credential-feed.ts';

const log = pino({ level: 'silent' });
const settings = { credentialTrustMs: 600_000 };
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  db = connectDatabase({ url: database.url, poolSize: 6, log });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

let tests = 0;
let accountId = '';
beforeEach(() => void (accountId = `account-${++tests}`));

const revoked = (subjectId: string) => ({ accountId, subject: 'key', subjectId, change: 'revoked' }) as const;

/** What a feed tells of this test's account; it also hears of the ten seconds before. */
function listen(feed: CredentialFeed): CredentialEvent[] {
  const heard: CredentialEvent[] = [];
  feed.subscribe('any', (event) => {
    if (event.accountId === accountId) heard.push(event);
  });
  return heard;
}

/** A broadcast that can be cut, as Redis can. */
function createCuttable() {
  const { broadcast } = createMemoryCluster({ instanceId: 'test', hub: createMemoryHub() });
  const state = { isCut: false };
  const gaps = new Set<() => void>();
  const cuttable: Broadcast = {
    publish: (topic, message) =>
      state.isCut ? Promise.reject(new Error('cut')) : broadcast.publish(topic, message),
    subscribe: (topic, listener) => broadcast.subscribe(topic, (message) => state.isCut || listener(message)),
    onGap(listener) {
      gaps.add(listener);
      return () => gaps.delete(listener);
    },
  };
  const mend = () => {
    state.isCut = false;
    for (const listener of gaps) listener();
  };
  return { broadcast: cuttable, cut: () => void (state.isCut = true), mend };
}

describe('the credential feed', () => {
  it('tells each change once to every instance, though it comes by notice and by poll', async () => {
    const { broadcast } = createCuttable();
    const feeds = [0, 1].map(() => createCredentialFeed({ db, broadcast, log, pollMs: 20, settings }));
    await Promise.all(feeds.map((feed) => feed.start()));
    const heard = feeds.map(listen);
    const [first] = feeds;
    await first?.change(async (_trx, announce) => {
      announce(revoked('one'));
      return Promise.resolve();
    });
    await expect.poll(() => heard.map((events) => events.length)).toEqual([1, 1]);
    // The command line, which can only write.
    await changeCredentials(db, (_trx, announce) => Promise.resolve(announce(revoked('two'))));
    await expect.poll(() => heard.map((events) => events.length)).toEqual([2, 2]);
    await new Promise<void>((resolve) => {
      let polls = 0;
      const timer = setInterval(() => {
        if (++polls === 5) resolve(clearInterval(timer));
      }, 20);
    });
    expect(heard.map((events) => events.map((event) => event.subjectId))).toEqual([
      ['one', 'two'],
      ['one', 'two'],
    ]);
    await Promise.all(feeds.map((feed) => feed.stop()));
  });

  it('tells of no change that was rolled back', async () => {
    const { broadcast } = createCuttable();
    const feed = createCredentialFeed({ db, broadcast, log, pollMs: 20, settings });
    await feed.start();
    const heard = listen(feed);
    const failing = feed.change((_trx, announce) => {
      announce(revoked('never'));
      return Promise.reject(new Error('rolled back'));
    });
    await expect(failing).rejects.toThrow('rolled back');
    await feed.change((_trx, announce) => Promise.resolve(announce(revoked('after'))));
    await expect.poll(() => heard.map((event) => event.subjectId)).toEqual(['after']);
    await feed.stop();
  });

  it('hears a change that commits late, behind a younger one', async () => {
    const { broadcast } = createCuttable();
    const feed = createCredentialFeed({ db, broadcast, log, pollMs: 20, settings });
    await feed.start();
    const heard = listen(feed);
    let commit = () => {};
    const held = new Promise<void>((resolve) => (commit = resolve));
    let inserted = () => {};
    const isInserted = new Promise<void>((resolve) => (inserted = resolve));
    const late = db.transaction().execute(async (trx) => {
      await trx.insertInto('credentialEvents').values(revoked('late')).execute();
      inserted();
      await held;
    });
    await isInserted;
    await changeCredentials(db, (_trx, announce) => Promise.resolve(announce(revoked('younger'))));
    await expect.poll(() => heard.map((event) => event.subjectId)).toEqual(['younger']);
    commit();
    await late;
    await expect.poll(() => heard.map((event) => event.subjectId)).toEqual(['younger', 'late']);
    await feed.stop();
  });

  it('is fresh by either store, stale without both, and catches up with what it missed', async () => {
    const server = await startPostgres();
    const own = connectDatabase({ url: server.url, poolSize: 4, log });
    const { broadcast, cut, mend } = createCuttable();
    const feed = createCredentialFeed({ db: own, broadcast, log, pollMs: 50, freshMs: 300, settings });
    await feed.start();
    const heard = listen(feed);
    let wasStale = false;
    const watch = setInterval(() => (wasStale ||= !feed.isFresh()), 10);
    await server.kill();
    // Longer than a poll stays fresh: from here the notices alone vouch.
    const killedAt = performance.now();
    await expect.poll(() => performance.now() - killedAt > 600, { timeout: 15_000 }).toBe(true);
    expect({ wasStale, fresh: feed.isFresh() }).toEqual({ wasStale: false, fresh: true });
    cut();
    await expect.poll(() => feed.isFresh()).toBe(false);
    mend();
    // A gap that no poll has bridged may hide a revocation.
    const mendedAt = performance.now();
    await expect
      .poll(() => performance.now() - mendedAt > 300 && !feed.isFresh(), { timeout: 15_000 })
      .toBe(true);
    clearInterval(watch);
    await server.restart();
    cut();
    await expect.poll(() => feed.isFresh(), { timeout: 15_000 }).toBe(true);
    await changeCredentials(own, (_trx, announce) => Promise.resolve(announce(revoked('caught'))));
    await expect.poll(() => heard.map((event) => event.subjectId)).toEqual(['caught']);
    await feed.stop();
    await own.destroy();
    await server.stop();
  });
});
