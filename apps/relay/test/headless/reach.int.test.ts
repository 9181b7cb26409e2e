import type { Answer } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTabletops, naming, newAddress, startSessions } from './tabletops.ts';
import type { Sessions } from './tabletops.ts';

let started: Sessions;
beforeAll(async () => {
  started = await startSessions();
});
afterAll(() => started.cluster.stop());

const { pairAt, sayWorld, sessionAt, logIn, startAt, clientGivenAt } = createTabletops(() => started);

async function expectForbidden(answer: Answer, tabletopUrl: string, detail: RegExp): Promise<void> {
  const session = await sessionAt(tabletopUrl);
  expect(answer).toMatchObject({
    status: 403,
    body: { code: 'forbidden', sessionId: session.id, detail: expect.stringMatching(detail) },
  });
  expect(session).toMatchObject({ state: 'failed', clientId: null, tokenId: null });
  expect(session.detail).toBe(answer.body['detail']);
}

describe('a scoped key gets no token', () => {
  it('for a world that it may not reach, though its own tabletop names it', async () => {
    const [own, foreign] = [await pairAt(newAddress()), await pairAt(newAddress())];
    const key = await started.account.createKey({ clientIds: [own.clientId] });
    const tabletopUrl = newAddress();
    const answer = await startAt(key, tabletopUrl, naming(foreign));
    await expectForbidden(answer, tabletopUrl, /may not reach the world.*dashboard or with the master key/);
    expect(JSON.stringify(answer.body)).not.toContain(foreign.clientId);
  });

  it('for a world that it may not reach at the address of that world', async () => {
    const tabletopUrl = newAddress();
    const [own, foreign] = [await pairAt(tabletopUrl), await pairAt(tabletopUrl)];
    const key = await started.account.createKey({ clientIds: [own.clientId] });
    const answer = await startAt(key, tabletopUrl, naming(foreign));
    await expectForbidden(answer, tabletopUrl, /may not reach/);
  });

  it.each([
    ['limited to it', true],
    ['that reaches all', false],
  ])('for a world at another address than its own, with a key %s', async (_which, isLimited) => {
    const world = await pairAt(newAddress());
    const key = await started.account.createKey(isLimited ? { clientIds: [world.clientId] } : {});
    const tabletopUrl = newAddress();
    const answer = await startAt(key, tabletopUrl, naming(world));
    await expectForbidden(
      answer,
      tabletopUrl,
      /paired at another address than.*Add browser.*not your tabletop/,
    );
  });

  it('for a new world, where it is limited to others', async () => {
    const own = await pairAt(newAddress());
    const key = await started.account.createKey({ clientIds: [own.clientId] });
    const tabletopUrl = newAddress();
    const answer = await startAt(key, tabletopUrl, { worldId: own.worldId, clientId: '' });
    await expectForbidden(answer, tabletopUrl, /none of them was paired at.*let the key reach it/);
    const made = started.cluster.db.selectFrom('knownClients').where('pairedOrigin', '=', tabletopUrl);
    expect(await made.select('clientId').execute()).toEqual([]);
  });

  it('for a world of the address that is not among its own, where the tabletop names none', async () => {
    const tabletopUrl = newAddress();
    const { worldId } = await pairAt(tabletopUrl);
    const key = await started.account.createKey({ clientIds: [(await pairAt(newAddress())).clientId] });
    const answer = await startAt(key, tabletopUrl, { worldId, clientId: '' });
    await expectForbidden(answer, tabletopUrl, /none of them was paired at/);
  });
});

describe('while a session starts, its key', () => {
  /** Starts at the world's own address, and changes the key before the page is there. */
  async function startChanged(change: (path: string) => Promise<unknown>): Promise<[Answer, string]> {
    const tabletopUrl = newAddress();
    const world = await pairAt(tabletopUrl);
    const { body } = await started.account.as('POST', '/auth/api-keys', {
      name: 'short',
      scopes: ['session:manage'],
    });
    const answered = logIn(String(body['apiKey']), tabletopUrl);
    await expect.poll(() => sessionAt(tabletopUrl).catch(() => undefined)).toBeDefined();
    await change(`/auth/api-keys/${String(body['id'])}`);
    await sayWorld(tabletopUrl, naming(world));
    return [await answered, tabletopUrl];
  }
  const gone = /was revoked, has expired or may not start sessions/;

  it('may be revoked', async () => {
    const [answer, tabletopUrl] = await startChanged((path) => started.account.as('DELETE', path));
    await expectForbidden(answer, tabletopUrl, gone);
  });

  it('may expire', async () => {
    const [answer, tabletopUrl] = await startChanged((path) =>
      started.cluster.db
        .updateTable('apiKeys')
        .set({ expiresAt: new Date(Date.now() - 1000) })
        .where('id', '=', path.split('/').at(-1) ?? '')
        .execute(),
    );
    await expectForbidden(answer, tabletopUrl, gone);
  });

  it('may lose its scope', async () => {
    const [answer, tabletopUrl] = await startChanged((path) =>
      started.account.as('PATCH', path, { scopes: ['session:read'] }),
    );
    await expectForbidden(answer, tabletopUrl, gone);
  });

  it('may be limited to another world', async () => {
    const { clientId } = await pairAt(newAddress());
    const [answer, tabletopUrl] = await startChanged((path) =>
      started.account.as('PATCH', path, { clientIds: [clientId] }),
    );
    await expectForbidden(answer, tabletopUrl, /may not reach/);
  });
});

describe('a token is given', () => {
  it.each([
    ['names its world', true],
    ['names none', false],
  ])('to a key at the address of its world, where the tabletop %s', async (_what, isNamed) => {
    const tabletopUrl = newAddress();
    const world = await pairAt(tabletopUrl);
    // Of two clients of the same world and address, it is the one that the key may reach.
    const other = await started.account.pair({ worldId: world.worldId });
    await started.cluster.db
      .updateTable('knownClients')
      .set({ pairedOrigin: tabletopUrl, lastSeenAt: new Date() })
      .where('clientId', '=', other.clientId)
      .execute();
    const key = await started.account.createKey({ clientIds: [world.clientId] });
    const answered = logIn(key, tabletopUrl);
    await sayWorld(tabletopUrl, isNamed ? naming(world) : { worldId: world.worldId, clientId: '' });
    expect(await clientGivenAt(tabletopUrl, answered)).toBe(world.clientId);
  });

  it('for a new world, to a key that reaches all', async () => {
    const tabletopUrl = newAddress();
    const answered = logIn(await started.account.createKey(), tabletopUrl);
    await sayWorld(tabletopUrl, { worldId: 'new', clientId: '' });
    expect(await clientGivenAt(tabletopUrl, answered)).toEqual(expect.any(String));
  });
});

describe('a page that is not where the session was started for', () => {
  it.each([
    ['the master key', () => started.account.masterKey],
    ['a scoped key', () => started.account.createKey()],
  ])('gets no token by %s, though it names a world of the account', async (_which, keyOf) => {
    const [tabletopUrl, elsewhere] = [newAddress(), newAddress()];
    const world = await pairAt(tabletopUrl);
    const answer = await startAt(await keyOf(), tabletopUrl, { ...naming(world), origin: elsewhere });
    const detail = expect.stringContaining(`${tabletopUrl} leads to ${elsewhere}`) as string;
    expect(answer).toMatchObject({ status: 502, body: { code: 'session_failed', detail } });
    expect(await sessionAt(tabletopUrl)).toMatchObject({
      state: 'failed',
      clientId: null,
      tokenId: null,
      detail,
    });
  });

  it('gets one where it is', async () => {
    const tabletopUrl = newAddress();
    const world = await pairAt(tabletopUrl);
    const answered = logIn(await started.account.createKey(), tabletopUrl);
    await sayWorld(tabletopUrl, { ...naming(world), origin: tabletopUrl });
    expect(await clientGivenAt(tabletopUrl, answered)).toBe(world.clientId);
  });
});

describe('a paused world', () => {
  const pause = (clientId: string, what: string) =>
    started.account.as('POST', `/auth/known-clients/${clientId}/${what}`);

  it('is not opened by a session, neither by a key nor by a person', async () => {
    const tabletopUrl = newAddress();
    const { clientId } = await pairAt(tabletopUrl);
    await pause(clientId, 'pause');
    const refused = { status: 403, body: { code: 'paused', pause: { of: 'world', setIn: 'relay' } } };
    expect(await logIn(started.account.masterKey, tabletopUrl)).toMatchObject(refused);
    const limited = await started.account.createKey({ clientIds: [clientId] });
    expect(await logIn(limited, tabletopUrl)).toMatchObject(refused);
  });

  it('gets no token of a session that finds itself there', async () => {
    const tabletopUrl = newAddress();
    const world = await pairAt(tabletopUrl);
    const answered = logIn(started.account.masterKey, tabletopUrl);
    await expect
      .poll(async () => (await sessionAt(tabletopUrl).catch(() => undefined))?.state)
      .toBe('starting');
    await pause(world.clientId, 'pause');
    await sayWorld(tabletopUrl, naming(world));
    expect(await answered).toMatchObject({ status: 403, body: { code: 'paused' } });
    expect(await sessionAt(tabletopUrl)).toMatchObject({ state: 'failed', tokenId: null });
  });
});
