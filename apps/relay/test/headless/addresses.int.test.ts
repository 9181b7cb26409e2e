import { call, encrypt } from '@tabletop-relay/testing/scenes';
import type { Handshake } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTabletops, naming, newAddress, startSessions } from './tabletops.ts';
import type { PairedWorld, Sessions } from './tabletops.ts';

let started: Sessions;
beforeAll(async () => {
  started = await startSessions();
});
afterAll(() => started.cluster.stop());

const { pairAt, sayWorld, sessionAt, logIn, clientGivenAt } = createTabletops(() => started);

describe('whoever starts it, a session', () => {
  const byMasterKey = async (tabletopUrl: string) =>
    (await logIn(started.account.masterKey, tabletopUrl)).status;
  async function inDashboard(tabletopUrl: string): Promise<number> {
    const login = { tabletopUrl, username: 'Ada' };
    const { body } = await started.account.as('POST', '/auth/headless-sessions/handshake', login);
    const shaken = body as unknown as Handshake;
    const answer = await started.account.as('POST', '/auth/headless-sessions', {
      handshakeToken: shaken.token,
      encryptedPassword: encrypt(shaken, 'p'),
    });
    return answer.status;
  }

  const addressOf = ({ clientId }: PairedWorld) =>
    started.cluster.db
      .selectFrom('knownClients')
      .select('pairedOrigin')
      .where('clientId', '=', clientId)
      .executeTakeFirstOrThrow();

  it.each([
    ['the master key', byMasterKey, 403],
    ['the dashboard', inDashboard, 200],
  ])('by %s becomes no world of another address, and moves none', async (_who, start, status) => {
    const world = await pairAt(newAddress());
    const before = await addressOf(world);
    const tabletopUrl = newAddress();
    const answered = start(tabletopUrl);
    await sayWorld(tabletopUrl, naming(world));
    await expect.poll(async () => (await sessionAt(tabletopUrl)).state).toBe('failed');
    expect(await answered).toBe(status);
    expect(await sessionAt(tabletopUrl)).toMatchObject({
      tokenId: null,
      detail: expect.stringMatching(/paired at another address than.*Add browser.*not your tabletop/),
    });
    expect(await addressOf(world)).toEqual(before);
  });

  it.each([
    ['the master key', byMasterKey],
    ['the dashboard', inDashboard],
  ])(
    'by %s becomes it where a person paired a browser of it there, and moves nothing',
    async (_who, start) => {
      const world = await pairAt(newAddress());
      const before = await addressOf(world);
      const tabletopUrl = newAddress();
      const { body } = await started.account.as('POST', '/auth/pairing-codes', { clientId: world.clientId });
      await call(started.url, 'POST', '/auth/pair', {
        body: { code: body['code'], worldId: world.worldId },
        headers: { origin: tabletopUrl },
      });
      const answered = start(tabletopUrl);
      await sayWorld(tabletopUrl, naming(world));
      expect(await clientGivenAt(tabletopUrl, answered)).toBe(world.clientId);
      expect(await addressOf(world)).toEqual(before);
    },
  );
});
