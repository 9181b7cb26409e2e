import { call, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let url: string;

beforeAll(async () => {
  cluster = await startInstances({ count: 2 });
  url = cluster.instances[0].url;
});
afterAll(() => cluster.stop());

describe('pairing', () => {
  const code = async (own: TestAccount, body: object = {}) =>
    (await own.as('POST', '/auth/pairing-codes', body)).body['code'] as string;
  const pair = (body: object, headers: Record<string, string> = {}) =>
    call(url, 'POST', '/auth/pair', { body, headers });

  it('takes what today’s modules send, and names the browser', async () => {
    const own = await createAccount(url);
    const paired = await pair(
      {
        code: (await code(own)).toLowerCase(),
        worldId: 'w',
        worldTitle: 'W',
        foundryVersion: '13.1',
        moduleVersion: '9',
      },
      {
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0',
        origin: 'https://play.example',
      },
    );
    expect(paired).toMatchObject({ status: 200, body: { relayUrl: `${url.replace('http', 'ws')}/relay` } });
    expect(paired.headers.get('access-control-allow-origin')).toBe('*');
    const [client] = (await own.as('GET', '/auth/known-clients')).body['items'] as object[];
    expect(client).toMatchObject({ worldTitle: 'W', tabletopVersion: '13.1', isOnline: false, tokens: 1 });
    const [token] = (await own.as('GET', '/auth/connection-tokens')).body['items'] as object[];
    expect(token).toMatchObject({ name: 'Firefox on Linux', origin: 'https://play.example' });
  });

  it('uses a code up: twenty at once give one token', async () => {
    const own = await createAccount(url);
    const body = { code: await code(own), worldId: 'w' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => pair(body)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.body['code'] === 'code_used')).toHaveLength(19);
    expect((await own.as('GET', '/auth/connection-tokens')).body['items']).toHaveLength(1);
  });

  it('ends after ten minutes', async () => {
    const own = await createAccount(url);
    const made = await own.as('POST', '/auth/pairing-codes', {});
    expect(made.body['expiresIn']).toBe(600);
    const past = new Date(Date.now() - 1);
    await cluster.db
      .updateTable('pairingCodes')
      .set({ expiresAt: past })
      .where('accountId', '=', own.accountId)
      .execute();
    const late = await pair({ code: made.body['code'], worldId: 'w' });
    expect(late).toMatchObject({ status: 410, body: { code: 'code_expired' } });
  });

  it('keeps five plain codes per account and one per world', async () => {
    const own = await createAccount(url);
    const { clientId } = await own.pair();
    const plain = [];
    for (let i = 0; i < 6; i++) plain.push(await code(own));
    expect((await pair({ code: plain[0], worldId: 'w' })).status).toBe(404);
    expect((await pair({ code: plain[1], worldId: 'w' })).status).toBe(200);
    const old = await code(own, { clientId });
    await code(own, { clientId });
    expect((await pair({ code: old, worldId: 'w' })).status).toBe(404);
    expect((await pair({ code: plain[5], worldId: 'w' })).status).toBe(200);
  });

  it('adds a browser to its world and to no other', async () => {
    const own = await createAccount(url);
    const { clientId } = await own.pair({ worldId: 'mine' });
    const other = await pair({ code: await code(own, { clientId }), worldId: 'another' });
    expect(other).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const added = await pair({ code: await code(own, { clientId }), worldId: 'mine' });
    expect(added.body['clientId']).toBe(clientId);
  });

  describe('gives a world its clientId again', () => {
    it.each<[string, object, object, boolean]>([
      ['by existingClientId and world', {}, { existingClientId: 'ITS OWN' }, true],
      [
        'never by existingClientId from another world',
        {},
        { existingClientId: 'ITS OWN', worldId: 'other' },
        false,
      ],
      [
        'by the fingerprint it was paired with',
        { serverFingerprint: 'f1' },
        { serverFingerprint: 'f1' },
        true,
      ],
      ['never by another fingerprint', { serverFingerprint: 'f1' }, { serverFingerprint: 'f2' }, false],
      ['never by worldId alone', {}, {}, false],
      [
        'never by worldId and origin while a token is left',
        { origin: 'https://a.example' },
        { origin: 'https://a.example' },
        false,
      ],
    ])('%s', async (_name, first, then, isSame) => {
      const own = await createAccount(url);
      const send = async ({ origin, ...body }: { origin?: string }) =>
        await pair({ code: await code(own), worldId: 'w', ...body }, origin ? { origin } : {});
      const before = (await send(first)).body['clientId'];
      const again = Object.fromEntries(
        Object.entries(then).map(([name, value]) => [name, value === 'ITS OWN' ? before : value]),
      );
      expect((await send(again)).body['clientId'] === before).toBe(isSame);
    });

    it('by worldId and origin once no token is left, and tells of it', async () => {
      const own = await createAccount(url);
      const headers = { origin: 'https://a.example' };
      const first = await pair({ code: await code(own), worldId: 'w' }, headers);
      await call(url, 'POST', '/api/self-unpair', { body: { token: first.body['token'] } });
      const elsewhere = await pair({ code: await code(own), worldId: 'w' }, { origin: 'https://b.example' });
      expect(elsewhere.body['clientId']).not.toBe(first.body['clientId']);
      const again = await pair({ code: await code(own), worldId: 'w' }, headers);
      expect(again.body['clientId']).toBe(first.body['clientId']);
      await expect
        .poll(async () => (await own.as('GET', '/auth/audit-log')).body['items'])
        .toContainEqual(
          expect.objectContaining({ event: 'client.paired_again', clientId: first.body['clientId'] }),
        );
    });

    it('never to another account', async () => {
      const own = await createAccount(url);
      const mine = await pair({ code: await code(own), worldId: 'w', serverFingerprint: 'f' });
      const stranger = await createAccount(url);
      const body = { worldId: 'w', serverFingerprint: 'f', existingClientId: mine.body['clientId'] };
      const theirs = await pair({ code: await code(stranger), ...body });
      expect(theirs.status).toBe(200);
      expect(theirs.body['clientId']).not.toBe(mine.body['clientId']);
    });
  });

  it('after 1,000 wrong codes in ten minutes takes a code only from the network that made it', async () => {
    const { db } = cluster;
    const own = await createAccount(url);
    const made = await code(own);
    await db
      .updateTable('pairingCodes')
      .set({ createdFrom: '203.0.113.9' })
      .where('accountId', '=', own.accountId)
      .execute();
    const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 120_000);
    await db.insertInto('pairingFailures').values({ minute, failures: 1000 }).execute();
    try {
      expect((await pair({ code: made, worldId: 'w' })).status).toBe(404);
      await db
        .updateTable('pairingCodes')
        .set({ createdFrom: '127.0.0.1' })
        .where('accountId', '=', own.accountId)
        .execute();
      expect((await pair({ code: made, worldId: 'w' })).status).toBe(200);
    } finally {
      await db.deleteFrom('pairingFailures').execute();
    }
  });

  it('counts each wrong code, and no text that cannot be one', async () => {
    const before = await countFailures();
    for (const wrong of ['AAAAAA', 'AAAAAB', 'not a code']) await pair({ code: wrong, worldId: 'w' });
    expect(await countFailures()).toBe(before + 2);
  });

  async function countFailures(): Promise<number> {
    const rows = await cluster.db.selectFrom('pairingFailures').select('failures').execute();
    return rows.reduce((sum, row) => sum + row.failures, 0);
  }
});
