import { connectFakeModule, measureRunningTime } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drivers, startTwo } from '../drivers.ts';
import type { TwoInstances } from '../drivers.ts';
import { startInstances } from '../instances.ts';

const places = ['same instance', 'another instance'] as const;

describe.each(drivers)('with the %s drivers', (driver) => {
  let two: TwoInstances;
  let urls: readonly [owner: string, other: string];
  let account: TestAccount;
  let key: string;

  beforeAll(async () => {
    two = await startTwo(driver);
    urls = [two.first.url, two.second.url];
    account = await createAccount(urls[0]);
    key = await account.createKey();
  });
  afterAll(() => two.stop());

  const players = (pairing: Pairing, at = urls[0], apiKey = key) =>
    call(at, 'GET', `/players?clientId=${pairing.clientId}`, { headers: { 'x-api-key': apiKey } });
  const attempts = async (pairing: Pairing) =>
    (
      await two.cluster.db
        .selectFrom('connectionLogs')
        .select(['outcome'])
        .where('clientId', '=', pairing.clientId)
        .orderBy('at')
        .execute()
    ).map(({ outcome }) => outcome);

  describe('a second browser', () => {
    it.each(places)('is rejected while the first one lives (%s)', async (where) => {
      const at = urls[where === 'same instance' ? 0 : 1];
      const pairing = await account.pair();
      const incumbent = await connectModule(urls[0], pairing, () => ({ by: 'incumbent' }));
      const newcomer = await connectFakeModule({ url: at, ...pairing });
      expect(await newcomer.closed).toMatchObject({ code: 4004 });
      expect(newcomer.received).toEqual([]);
      expect((await players(pairing)).body).toMatchObject({ by: 'incumbent' });
      await expect.poll(() => attempts(pairing)).toEqual(['connected', 'duplicate']);
      await incumbent.close();
    });

    it.each(places)('takes over from one that went silent, within 3.5 s (%s)', async (where) => {
      const at = urls[where === 'same instance' ? 0 : 1];
      const pairing = await account.pair();
      const incumbent = await connectModule(urls[0], pairing);
      const waiting = players(pairing);
      await incumbent.next('players');
      incumbent.pause();
      const startedAt = performance.now();
      const ranMs = measureRunningTime();
      const newcomer = await connectModule(at, pairing, () => ({ by: 'newcomer' }));
      expect(performance.now() - startedAt).toBeGreaterThan(1_500);
      expect(ranMs()).toBeLessThan(3_500);
      expect(await waiting).toMatchObject({ status: 502, body: { code: 'client_lost' } });
      for (const from of urls) expect((await players(pairing, from)).body).toMatchObject({ by: 'newcomer' });
      incumbent.resume();
      await incumbent.closed;
      expect((await players(pairing)).body).toMatchObject({ by: 'newcomer' });
      await newcomer.close();
    });

    it.each(places)('comes in at once after the first one has left (%s)', async (where) => {
      const at = urls[where === 'same instance' ? 0 : 1];
      const pairing = await account.pair();
      for (let round = 0; round < 3; round++) {
        await (await connectModule(urls[0], pairing)).close();
        const next = await connectModule(at, pairing, () => ({ round }));
        expect((await players(pairing)).body).toMatchObject({ round });
        await next.close();
      }
    });

    it('of twenty that come at once one gets in', async () => {
      const pairing = await account.pair();
      const sockets = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          connectFakeModule({ url: index % 2 ? urls[0] : urls[1], ...pairing }),
        ),
      );
      await expect.poll(() => sockets.filter((socket) => socket.count('auth-success')).length).toBe(1);
      const winner = sockets.find((socket) => socket.count('auth-success'));
      const losers = sockets.filter((socket) => socket !== winner);
      for (const loser of losers) expect(await loser.closed).toMatchObject({ code: 4004 });
      await winner?.close();
    });

    it('and many more ask one living incumbent just once', async () => {
      const pairing = await account.pair();
      const incumbent = await connectModule(urls[0], pairing);
      let pings = 0;
      incumbent.socket.on('ping', () => pings++);
      const newcomers = await Promise.all(
        Array.from({ length: 20 }, () => connectFakeModule({ url: urls[0], ...pairing })),
      );
      for (const newcomer of newcomers) expect(await newcomer.closed).toMatchObject({ code: 4004 });
      expect(pings).toBeLessThan(20);
      await incumbent.close();
    });
  });
});

describe('the heartbeat', () => {
  it('gives up a socket that is silent for twice its time, and keeps one that answers pings', async () => {
    const heartbeatMs = 400;
    const cluster = await startInstances({ config: { heartbeatMs } });
    const [{ url }] = cluster.instances;
    const account = await createAccount(url);
    const key = await account.createKey();
    const pairing = await account.pair();
    const silent = await connectModule(url, pairing);
    const living = await connectModule(url, await account.pair());
    let pings = 0;
    living.socket.on('ping', () => pings++);
    expect(living.received[0]).toMatchObject({ type: 'auth-success', heartbeatMs });
    const waiting = call(url, 'GET', `/players?clientId=${pairing.clientId}`, {
      headers: { 'x-api-key': key },
    });
    await silent.next('players');
    silent.pause();
    const ranMs = measureRunningTime();
    expect(await waiting).toMatchObject({ status: 502, body: { code: 'client_lost' } });
    expect(ranMs()).toBeLessThan(2 * heartbeatMs + 1_500);
    await expect.poll(() => pings).toBeGreaterThan(2);
    expect(living.socket.readyState).toBe(living.socket.OPEN);
    silent.cut();
    await living.close();
    await cluster.stop();
  });
});
