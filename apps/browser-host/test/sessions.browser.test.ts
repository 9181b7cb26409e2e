import { createAddressGuard } from '@tabletop-relay/outbound';
import { createRelay } from '@tabletop-relay/sdk';
import { connectFakeModule, readRedis } from '@tabletop-relay/testing';
import { call, sessionCaller } from '@tabletop-relay/testing/scenes';
import { lookup } from 'node:dns/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { servePage } from './door.ts';
import { password, startRig } from './rig.ts';
import type { Rig, Tabletop } from './rig.ts';

/** What the host's resolver answers for a name, one after the other; the system's answer for all others. */
const answers = new Map<string, string[]>();
async function lookUp(host: string): Promise<{ address: string; family: number }[]> {
  const address = answers.get(host)?.shift();
  return address ? [{ address, family: 4 }] : await lookup(host, { all: true });
}

let rig: Rig;
let tabletop: Tabletop;
beforeAll(async () => {
  rig = await startRig();
  tabletop = await rig.startWorld();
  const guard = createAddressGuard({ allow: ['127.0.0.0/8', '::1/128'], lookup: lookUp });
  await rig.startHost({ headlessStageMs: 12_000 }, { guard });
});
afterAll(() => rig.stop());

/** The rolls of a world, by way of one instance. */
const follow = (url: string, clientId: string) =>
  createRelay({ url, apiKey: rig.key }).events.rolls({ clientId })[Symbol.asyncIterator]();

/** The account's newest session. */
async function newest(): Promise<Record<string, unknown>> {
  const { body } = await rig.account.as('GET', '/auth/headless-sessions');
  return (body['items'] as Record<string, unknown>[])[0] ?? {};
}

describe('a headless session', () => {
  it('brings its world online, and calls by way of another instance reach it', async () => {
    const { status, body } = await rig.sessions.logIn({ ...tabletop.login, captureBrowserConsole: 'debug' });
    expect(body).toEqual({ success: true, sessionId: expect.any(String), clientId: expect.any(String) });
    expect(status).toBe(200);
    const { sessionId, clientId } = body as { sessionId: string; clientId: string };
    const rolls = follow(rig.second.url, clientId);
    expect((await rolls.next()).value).toMatchObject({ event: 'connected' });
    const rolled = rolls.next();
    const check = await call(rig.second.url, 'POST', `/dnd5e/skill-check?clientId=${clientId}`, {
      headers: { 'x-api-key': rig.key },
      body: { actorUuid: 'Actor.mira', skill: 'prc' },
    });
    expect(check.body).toMatchObject({ type: 'skill-check-result', data: { skill: 'prc' } });
    expect((await rolled).value).toMatchObject({ event: 'roll', data: { flavor: 'Perception check' } });
    await rolls.return?.();

    const [record] = await rig.sessions.list();
    expect(record).toEqual({
      sessionId, clientId,
      tabletopUrl: tabletop.login.tabletopUrl,
      username: 'Ada',
      worldId: 'sunken-chapel',
      worldName: 'The Sunken Chapel',
      worldTitle: 'The Sunken Chapel',
      systemId: 'dnd5e',
      systemTitle: 'Fifth Edition',
      systemVersion: expect.any(String),
      tabletopVersion: expect.any(String),
      state: 'active',
      startedAt: expect.any(Number),
      lastActivity: expect.any(Number),
    }); // prettier-ignore
    expect(await newest()).toMatchObject({
      id: sessionId,
      state: 'active',
      stage: 'online',
      stageNumber: 5,
      stages: 5,
    });

    // The game master's own browser, which finds its world taken.
    const { body: pairing } = await rig.account.as('POST', '/auth/pairing-codes');
    const own = await call(rig.second.url, 'POST', '/auth/pair', {
      body: {
        code: pairing['code'],
        worldId: 'sunken-chapel',
        worldTitle: 'The Sunken Chapel',
        systemId: 'dnd5e',
        existingClientId: clientId,
      },
      headers: { origin: new URL(tabletop.login.tabletopUrl).origin },
    });
    expect(own.body).toMatchObject({ clientId });
    const token = String(own.body['token']);
    const ownBrowser = await connectFakeModule({ url: rig.second.url, clientId, token });
    expect(await ownBrowser.closed).toMatchObject({ code: 4004 });

    // The job is there for as long as the session runs, and its password went as it was taken.
    const stored = await readRedis(rig.redis.url);
    expect(stored).toContain(sessionId);
    expect(stored).not.toContain('sealedPassword');
    expect(stored).not.toContain(password);

    const again = await rig.sessions.logIn(tabletop.login);
    expect([again.status, again.body['sessionId']]).toEqual([409, sessionId]);

    const { body: view } = await rig.account.as('GET', `/auth/headless-sessions/${sessionId}/picture`);
    expect(String(view['image']).slice(0, 50)).toMatch(/^data:image\/jpeg;base64,\/9j\//);
    const { body: tokens } = await rig.account.as('GET', '/auth/connection-tokens');
    const ofSession = { clientId, name: 'Headless browser as Ada', isConnected: true };
    expect(tokens['items']).toContainEqual(expect.objectContaining(ofSession));

    expect((await rig.sessions.end(sessionId)).body).toEqual({
      status: 'ok',
      message: 'The session has ended.',
    });
    const { body: left } = await rig.account.as('GET', '/auth/connection-tokens');
    expect(left['items']).toMatchObject([{ clientId, isConnected: false }]);
    expect(JSON.stringify(left)).not.toContain('Headless');
    await expect
      .poll(async () => (await call(rig.first.url, 'GET', `/api/clients/${clientId}/active`)).body)
      .toEqual({ active: false });
    // The same world is the same client at its next session.
    const next = await rig.sessions.logIn(tabletop.login);
    expect(next.body['clientId']).toBe(clientId);
    await rig.sessions.end(String(next.body['sessionId']));
  });

  it('is started, listed and ended by the SDK', async () => {
    const relay = createRelay({ url: rig.first.url, apiKey: rig.key });
    // A session that is ending is still listed.
    const noneLeft = () => expect.poll(() => relay.sessions.list(), { timeout: 20_000 }).toEqual([]);
    await noneLeft();
    const { sessionId, clientId } = await relay.sessions.start(tabletop.login);
    expect(await relay.sessions.list()).toMatchObject([{ sessionId, clientId, state: 'active' }]);
    await relay.sessions.end(sessionId);
    await noneLeft();
    const refused = relay.sessions.start({ ...tabletop.login, username: 'Jörg “the Red”' });
    await expect(refused).rejects.toMatchObject({
      code: 'session_failed',
      detail: expect.stringContaining('no user Jörg “the Red”'),
    });
  });

  it('leaves its password in no table or log', async () => {
    const rows = await rig.cluster.db.selectFrom('headlessSessions').selectAll().execute();
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every(({ sealKey }) => sealKey === null)).toBe(true);
    expect(JSON.stringify([rows, rig.logs, rig.cluster.logs])).not.toContain(password);
  });

  it.each([
    ['a wrong password', { password: 'wrong' }, 'login', /not the password/],
    ['an unknown user', { username: 'Nobody' }, 'login', /no user Nobody/],
    ['an unknown world', { worldName: 'Atlantis' }, 'world', /no world Atlantis/],
  ])(
    'with %s fails with its stage, what the page said, and a picture',
    async (_what, wrong, stage, detail) => {
      const { status, body } = await rig.sessions.logIn({ ...tabletop.login, ...wrong });
      expect(body).toMatchObject({ code: 'session_failed', stage, detail: expect.stringMatching(detail) });
      expect(status).toBe(502);
      expect(await newest()).toMatchObject({
        id: body['sessionId'],
        state: 'failed',
        stage,
        hasPicture: true,
      });
    },
  );

  it.each([
    ['an address', 'http://10.0.0.1/', /not public/],
    ['the metadata of a cloud', 'http://169.254.169.254/latest/meta-data/', /not public/],
    ['a file', 'file:///etc/passwd', /could not be opened/],
  ])('that is led to %s is not led there', async (_what, location, detail) => {
    const tabletopUrl = await servePage((_request, response) => response.writeHead(302, { location }).end());
    const host = await newestFailure({ tabletopUrl });
    expect(host).toMatchObject({
      code: 'session_failed',
      stage: 'open',
      detail: expect.stringMatching(detail),
    });
  });

  it('at a name that leads elsewhere once it was checked is not led there', async () => {
    const asked: (string | undefined)[] = [];
    const tabletopUrl = await servePage(({ url }, response) => {
      asked.push(url);
      response.writeHead(302, { location: '/again' }).end();
    });
    answers.set('localhost', ['127.0.0.1', '10.0.0.1', '10.0.0.1']);
    const failure = await newestFailure({ tabletopUrl: tabletopUrl.replace('127.0.0.1', 'localhost') });
    expect(failure).toMatchObject({ stage: 'open', detail: expect.stringMatching(/localhost.*not public/) });
    expect(asked).toEqual(['/']);
    answers.clear();
  });

  it('ends when its key is revoked', async () => {
    const { body: created } = await rig.account.as('POST', '/auth/api-keys', {
      name: 'short', scopes: ['session:manage', 'session:read'],
    }); // prettier-ignore
    const short = sessionCaller(rig.first.url, String(created['apiKey']));
    const { body } = await short.logIn(tabletop.login);
    expect(body['success']).toBe(true);
    await rig.account.as('DELETE', `/auth/api-keys/${String(created['id'])}`);
    await expect
      .poll(newest)
      .toMatchObject({ id: body['sessionId'], state: 'ended', detail: expect.stringMatching(/not valid/) });
  });

  async function newestFailure(wrong: { tabletopUrl: string }): Promise<Record<string, unknown>> {
    return (await rig.sessions.logIn({ ...tabletop.login, ...wrong })).body;
  }
});
