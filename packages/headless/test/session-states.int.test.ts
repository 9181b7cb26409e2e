import { isDeepStrictEqual } from 'node:util';
import { connectDatabase } from '@tabletop-relay/database';
import type { Database, Tables } from '@tabletop-relay/database';
import { headlessStates } from '@tabletop-relay/contract';
import type { HeadlessState } from '@tabletop-relay/contract';
import { createTestDatabase, startPostgresProxy } from '@tabletop-relay/testing';
import type { TestDatabase } from '@tabletop-relay/testing';
import type { Transaction } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as states from '../src/index.ts';

const log = { warn: () => {} };
const accountId = 'account';
let database: TestDatabase;
let db: Database;
let notices: states.SessionNotices;

beforeAll(async () => {
  database = await createTestDatabase();
  db = connectDatabase({ url: database.url, poolSize: 3, log });
  notices = states.createSessionNotices({ url: database.url, log });
  const masterKey = { masterKeyHint: '', masterKeyHash: Buffer.from('') };
  await db
    .insertInto('accounts')
    .values({ id: accountId, email: 'a@example.org', passwordHash: '', ...masterKey })
    .execute();
});
afterAll(async () => {
  await notices.close();
  await db.destroy();
  await database.drop();
});

const inTransaction = <T>(work: (trx: Transaction<Tables>) => Promise<T>) => db.transaction().execute(work);

let sessions = 0;
/** A session in that state, which the first run of a host has, with its seal. */
async function insert(state: HeadlessState): Promise<{ id: string; run: number; sealKey: Buffer }> {
  const tabletopUrl = `https://${++sessions}.example`;
  const login = { tabletopUrl, username: 'Ada', worldName: '', consoleLevel: null };
  const session = await inTransaction((trx) =>
    states.insertSession(trx, { accountId, keyId: null, ...login }),
  );
  const endedAt = state === 'ended' || state === 'failed' ? new Date() : null;
  const row = db.updateTable('headlessSessions').set({ state, run: 1, endedAt }).where('id', '=', session.id);
  await row.execute();
  return { ...session, run: 1 };
}

const rowOf = (id: string) =>
  db.selectFrom('headlessSessions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

type Session = Awaited<ReturnType<typeof insert>>;

const token = { token: 'a token', tokenId: 't', relayUrl: 'wss://relay.example/relay' };
/** No client of the account: the column may be null, and its table is not what is tried here. */
async function giveToken({ id, sealKey }: Session): Promise<void> {
  const clientId = `client ${id}`;
  const world = { pairedWorldId: 'w', worldId: 'w' };
  await db
    .insertInto('knownClients')
    .values({ clientId, accountId, ...world })
    .execute();
  await inTransaction((trx) => states.giveToken(trx, { id, sealKey }, { ...token, clientId }));
}

const statements: Record<string, (session: Session) => Promise<unknown>> = {
  takeSession: ({ id }) => states.takeSession(db, { id, host: 'a host' }),
  askForToken: (session) => states.askForToken(db, session, { worldId: 'w' }),
  giveToken,
  makeActive: ({ id }) => states.makeActive(db, id),
  askToEnd: ({ id }) => inTransaction((trx) => states.askToEnd(trx, { accountId, id }, 'Asked.')),
  finishSession: ({ id }) =>
    inTransaction((trx) => states.finishSession(trx, { sessionId: id, detail: 'Done.' })),
  failSession: ({ id }) =>
    inTransaction((trx) =>
      states.finishSession(trx, { sessionId: id, failure: 'session_failed', detail: 'Broken.' }),
    ),
  writeStage: (session) => states.writeStage(db, session, { stage: 'login', stageNumber: 1, stages: 2 }),
  askForPicture: ({ id }) => states.askForPicture(db, { accountId, id }),
};

/** Where each statement leads from `starting`, `active`, `ending`, `ended` and `failed`; `-`: it changes nothing. */
const leads: Record<keyof typeof statements, string> = {
  takeSession: 'starting active - - -',
  askForToken: 'starting active ending - -',
  giveToken: 'starting - - - -',
  makeActive: 'active - - - -',
  askToEnd: 'ending ending ending - -',
  finishSession: 'ended ended ended - -',
  failSession: 'failed failed failed - -',
  writeStage: 'starting active ending - -',
};

describe('a session', () => {
  it.each(
    Object.entries(leads).flatMap(([statement, to]) =>
      to.split(' ').map((next, index) => [headlessStates[index] as HeadlessState, statement, next] as const),
    ),
  )('that is %s is brought by %s to %s', async (state, statement, next) => {
    const session = await insert(state);
    const before = await rowOf(session.id);
    await statements[statement]?.(session);
    const after = await rowOf(session.id);
    expect({ state: after.state, isChanged: !isDeepStrictEqual(after, before) }).toEqual(
      next === '-' ? { state, isChanged: false } : { state: next, isChanged: true },
    );
  });

  it('that another host has taken takes nothing from the one before', async () => {
    const session = await insert('starting');
    await states.takeSession(db, { id: session.id, host: 'another' });
    const before = await rowOf(session.id);
    await states.writeStage(db, session, { stage: 'late', stageNumber: 1, stages: 1 });
    await states.askForToken(db, session, { worldId: 'late' });
    await states.writeDetail(db, session, 'late');
    const end = { sessionId: session.id, run: session.run, detail: 'late' };
    await inTransaction((trx) => states.finishSession(trx, end));
    expect(await states.beat(db, [{ ...session, activityMs: 0 }])).toEqual([]);
    expect(await rowOf(session.id)).toEqual(before);
  });

  it('keeps the detail of who asked for its end, and its seal is gone then', async () => {
    const session = await insert('active');
    await giveToken({ ...session, ...(await insert('starting')) });
    await statements['askToEnd']?.(session);
    await states.writeDetail(db, session, 'It was opened again.');
    await statements['finishSession']?.(session);
    expect(await rowOf(session.id)).toMatchObject({ detail: 'Asked.', sealKey: null, sealedToken: null });
  });
});

describe('a notice', () => {
  it.each(['askForToken', 'giveToken', 'makeActive', 'askToEnd', 'finishSession', 'askForPicture'])(
    'of %s reaches who waits for that session, and nobody else',
    async (statement) => {
      const [session, other] = [await insert('starting'), await insert('starting')];
      const heard: string[] = [];
      onTestFinished(notices.on(session.id, () => heard.push('this')));
      onTestFinished(notices.on(other.id, () => heard.push('other')));
      // The connection has begun to hear: each listener is called then, or it heard already.
      await expect.poll(() => states.tellConnected(db, session).then(() => heard)).toContain('this');
      heard.length = 0;
      await statements[statement]?.(session);
      await expect.poll(() => heard).toContain('this');
      expect(heard).not.toContain('other');
    },
  );

  it('comes with a picture, and none with a transaction that is rolled back', async () => {
    const [session, other] = [await insert('active'), await insert('active')];
    const heard: string[] = [];
    onTestFinished(notices.on(session.id, () => heard.push('this')));
    onTestFinished(notices.on(other.id, () => heard.push('other')));
    // Notices arrive in the order of their commits: behind the last one of the other session, none is on its way.
    const heardOfThis = async (): Promise<number> => {
      const before = heard.filter((of) => of === 'other').length;
      await states.tellConnected(db, other);
      await expect.poll(() => heard.filter((of) => of === 'other').length).toBeGreaterThan(before);
      return heard.filter((of) => of === 'this').length;
    };
    // The connection has begun to hear.
    await expect.poll(() => states.tellConnected(db, session).then(() => heard)).toContain('this');
    const before = await heardOfThis();
    await states.writePicture(db, session.id, Buffer.from('jpeg'));
    expect(await heardOfThis()).toBe(before + 1);
    const failing = inTransaction(async (trx) => {
      await states.askToEnd(trx, { accountId, id: session.id }, 'Asked.');
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await heardOfThis()).toBe(before + 1);
  });

  it('that is lost is made up for by a look, within the time of who waits', async () => {
    const { url, network } = await startPostgresProxy(database.url);
    network.refuse();
    const deaf = states.createSessionNotices({ url, log });
    onTestFinished(async () => {
      await deaf.close();
      await network.close();
    });
    const { id } = await insert('starting');
    const ask = { sessionId: id, withinMs: 60_000 };
    let looks = 0;
    const active = states.lookUntil(deaf, ask, async () => {
      looks++;
      return (await rowOf(id)).state === 'active' || undefined;
    });
    await expect.poll(() => looks).toBe(1);
    await states.makeActive(db, id);
    expect(await active).toBe(true);
    expect(looks).toBe(2);
    const never = states.lookUntil(deaf, { sessionId: id, withinMs: 50 }, () => Promise.resolve(undefined));
    expect(await never).toBeUndefined();
  });
});
