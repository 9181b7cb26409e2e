import { call, createAccount } from '@tabletop-relay/testing/scenes';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { connectAsking } from '../remote/asking-module.ts';
import { body, refused, sentTo, startPausedWorlds, within } from './paused-worlds.ts';

const start = startPausedWorlds();
const { roll, newKey, pauseKey, pauseWorld, expectSoon } = start;

describe('a paused key', () => {
  it('is refused at every way in, on all instances, and again let in', async () => {
    const { id, key } = await newKey();
    expect(await roll(key)).toMatchObject({ status: 200 });
    const paused = await pauseKey(id);
    expect(paused).toMatchObject({
      status: 200,
      body: { id, pause: { setIn: 'relay', by: 'session', userName: '' } },
    });
    await expectSoon((at) => roll(key, at), refused('key'));
    const before = sentTo(start.module);
    const headers = { 'x-api-key': key };
    const stream = `/encounters/subscribe?clientId=${start.world.clientId}`;
    const ways: [string, string, object?][] = [
      ['GET', '/clients'],
      ['GET', '/session'],
      ['GET', stream],
      [
        'POST',
        '/events/tickets',
        { path: '/encounters/subscribe', query: { clientId: start.world.clientId } },
      ],
      ['POST', '/start-session', { handshakeToken: 'x', encryptedPassword: 'x' }],
      ['DELETE', '/end-session?sessionId=x'],
    ];
    for (const [method, path, sentBody] of ways) {
      const answer = await call(start.two.second.url, method, path, {
        headers,
        ...(sentBody && { body: sentBody }),
      });
      expect(answer, path).toMatchObject({ status: 403, body: { code: 'paused', pause: { of: 'key' } } });
    }
    expect(sentTo(start.module)).toBe(before);
    const again = await pauseKey(id);
    expect(again.body['pause']).toEqual(paused.body['pause']);
    expect((await pauseKey(id, 'resume')).body['pause']).toBeNull();
    await expectSoon((at) => roll(key, at), { status: 200 });
  });

  it('stands in the lists, the audit log and the call log, and costs nothing of its month', async () => {
    const { id, key } = await newKey({ monthlyLimit: 1 });
    await pauseKey(id);
    await expectSoon((at) => roll(key, at), refused('key'));
    const listed = await start.account.as('GET', '/auth/api-keys');
    expect(listed.body['items']).toContainEqual(
      expect.objectContaining({ id, pause: expect.objectContaining({ by: 'session' }), usedThisMonth: 0 }),
    );
    await vi.waitFor(async () => {
      const calls = await start.account.as('GET', `/auth/calls?key=${id}`);
      expect(calls.body['items']).toContainEqual(expect.objectContaining({ outcome: 'paused', status: 403 }));
    }, within);
    await pauseKey(id, 'resume');
    await vi.waitFor(async () => {
      const audit = await start.account.as('GET', '/auth/audit-log?limit=20');
      const events = (audit.body['items'] as { event: string; subjectId: string }[])
        .filter(({ subjectId }) => subjectId === id)
        .map(({ event }) => event);
      expect(events).toEqual(['api_key.resumed', 'api_key.paused', 'api_key.created']);
    }, within);
    await vi.waitFor(async () => expect(await roll(key)).toMatchObject({ status: 200 }), within);
  });

  it('of others is none', async () => {
    const stranger = await createAccount(start.two.first.url);
    const { id, key } = await newKey();
    expect(await stranger.as('POST', `/auth/api-keys/${id}/pause`)).toMatchObject({ status: 404 });
    expect(await roll(key)).toMatchObject({ status: 200 });
  });
});

describe('a paused world', () => {
  beforeEach(async () => {
    await pauseWorld();
    return async () => {
      await pauseWorld('resume');
      await expectSoon((at) => roll(start.account.masterKey, at), { status: 200 });
    };
  });

  it('is reached by no key, the master key among them; other worlds are', async () => {
    expect(await pauseWorld()).toMatchObject({
      status: 200,
      body: { pauses: [{ setIn: 'relay', by: 'session' }] },
    });
    const { key } = await newKey();
    for (const one of [key, start.account.masterKey])
      await expectSoon((at) => roll(one, at), refused('world'));
    const before = sentTo(start.module);
    for (const at of [start.two.first, start.two.second]) {
      expect(await roll(key, at)).toMatchObject(refused('world'));
      expect(await roll(key, at, start.other)).toMatchObject({ status: 200 });
    }
    expect(sentTo(start.module)).toBe(before);
  });

  it('is refused where the body names it, and where it is the only one of its key', async () => {
    const { key } = await newKey({ clientIds: [start.world.clientId] });
    await expectSoon((at) => roll(key, at), refused('world'));
    for (const named of [{ clientId: start.world.clientId }, {}]) {
      const answer = await call(start.two.second.url, 'POST', '/sys5e/skill-check', {
        body: { ...body, ...named },
        headers: { 'x-api-key': key },
      });
      expect(answer).toMatchObject(refused('world'));
    }
  });

  it('gets no request of another world', async () => {
    const asking = await connectAsking(start.account, start.two.second.url, {
      allowedTargetClients: [start.world.clientId],
      remoteScopes: ['roll:execute'],
    });
    const request = { targetClientId: start.world.clientId, action: 'skill-check', payload: body };
    expect(await asking.ask(request)).toMatchObject({
      success: false,
      code: 'paused',
      outcome: 'not_sent',
      retryable: false,
      pause: { of: 'world', setIn: 'relay' },
    });
    await pauseWorld('resume');
    await vi.waitFor(async () => expect(await asking.ask(request)).toMatchObject({ success: true }), within);
    // A token that was asked with before hears of the next pause too.
    await pauseWorld();
    await vi.waitFor(async () => expect(await asking.ask(request)).toMatchObject({ code: 'paused' }), within);
    await asking.module.close();
  });

  it('gives no stream and no ticket', async () => {
    const { key } = await newKey();
    await expectSoon((at) => roll(key, at), refused('world'));
    const headers = { 'x-api-key': key };
    const path = '/encounters/subscribe';
    const query = { clientId: start.world.clientId };
    for (const at of [start.two.first, start.two.second]) {
      const stream = await call(at.url, 'GET', `${path}?clientId=${start.world.clientId}`, { headers });
      expect(stream).toMatchObject({ status: 403, body: { code: 'paused', pause: { of: 'world' } } });
      const ticket = await call(at.url, 'POST', '/events/tickets', { headers, body: { path, query } });
      expect(ticket).toMatchObject({ status: 403, body: { code: 'paused' } });
    }
  });

  it('is reached by what a person tries while signed in, and by no other way of that key', async () => {
    const terms = (seconds: number, clientIds: string[] | null) => ({
      reachesPaused: true,
      clientIds,
      expiresAt: new Date(Date.now() + seconds * 1_000).toISOString(),
    });
    for (const wrong of [
      terms(3_600, [start.world.clientId]),
      terms(60, null),
      { ...terms(60, [start.world.clientId]), expiresAt: null },
    ]) {
      const answer = await start.account.as('POST', '/auth/api-keys', {
        name: 'try',
        scopes: ['roll:execute'],
        ...wrong,
      });
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ field: 'reachesPaused' }] } });
    }
    const { id, key } = await newKey(terms(60, [start.world.clientId]));
    for (const at of [start.two.first, start.two.second])
      expect(await roll(key, at)).toMatchObject({ status: 200 });
    const stream = await call(
      start.two.first.url,
      'GET',
      `/encounters/subscribe?clientId=${start.world.clientId}`,
      {
        headers: { 'x-api-key': key },
      },
    );
    expect(stream).toMatchObject({ status: 403, body: { code: 'paused' } });
    for (const change of [{ reachesPaused: false }, { expiresAt: null }, { clientIds: null }])
      expect(await start.account.as('PATCH', `/auth/api-keys/${id}`, change)).toMatchObject({ status: 400 });
    await pauseKey(id);
    await expectSoon((at) => roll(key, at), refused('key'));
  });
});
