import { expect, test, vi } from 'vitest';
import { testAccount } from './fleet.ts';
import type { Suite } from './fleet.ts';

/** Promises of the directory. */
export function describeClaims(suite: Suite): void {
  test('of a client that is connected anywhere are duplicates', async () => {
    const [first, second] = await suite.pair();
    const claimed = await first.connect(suite.client);
    expect(claimed).toMatchObject({ outcome: 'mine' });
    expect(await second.connect(suite.client)).toMatchObject({
      outcome: 'duplicate',
      instanceId: 'instance-1',
    });
    expect(await first.connect(suite.client)).toMatchObject({ outcome: 'duplicate' });
    expect(first.cluster.directory.authority(suite.client)).toBe('owner');
    expect(second.cluster.directory.authority(suite.client)).toBe('frozen');
    expect(first.evicted).toEqual([]);
    const owns = ({ cluster }: typeof first, conn: string) => cluster.directory.owns(suite.client, conn);
    expect([owns(first, claimed.conn), owns(first, 'another'), owns(second, claimed.conn)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test.each([0, 1])('fence off a silent incumbent (newcomer on instance %i)', async (newcomerAt) => {
    const instances = await suite.pair();
    const [owner] = instances;
    const newcomer = instances[newcomerAt] ?? owner;
    const before = await owner.connect(suite.client);
    owner.silent.add(before.conn);
    const after = await newcomer.connect(suite.client);
    expect(after).toMatchObject({ outcome: 'mine' });
    expect(owner.evicted).toEqual([{ conn: before.conn, why: 'silent' }]);
    expect(owner.cluster.directory.owns(suite.client, before.conn)).toBe(false);
    expect(newcomer.cluster.directory.owns(suite.client, after.conn)).toBe(true);
    await instances[1].ask(suite.client, 'x');
    expect(newcomer.delivered).toMatchObject([{ conn: after.conn }]);
  });

  test('whose socket is still being checked by its instance are alive', async () => {
    const [owner, newcomer] = await suite.pair();
    const claim = { clientId: suite.client, conn: 'not open yet', accountId: testAccount, meta: '' };
    owner.arriving.add(claim.conn);
    expect(await owner.cluster.directory.claim(claim)).toMatchObject({ outcome: 'mine' });
    expect(await newcomer.connect(suite.client)).toMatchObject({ outcome: 'duplicate' });
    expect(owner.cluster.directory.authority(suite.client)).toBe('owner');
    // It closed as soon as it was open, and its claim is not released yet.
    owner.arriving.delete(claim.conn);
    expect(await newcomer.connect(suite.client)).toMatchObject({ outcome: 'mine' });
    expect(owner.cluster.directory.owns(suite.client, claim.conn)).toBe(false);
  });

  test('tell of a client what its last owner said of it', async () => {
    const [first, second] = await suite.pair();
    const told = async () => (await first.cluster.directory.find([suite.client])).get(suite.client)?.meta;
    const { conn } = await first.connect(suite.client, { meta: 'checks users' });
    expect(await told()).toBe('checks users');
    first.silent.add(conn);
    const { conn: left } = await second.connect(suite.client, { meta: 'checks nothing' });
    expect(await told()).toBe('checks nothing');
    // One that comes over is not judged by what was said before it.
    await second.disconnect(suite.client, left, 30_000);
    await first.connect(suite.client, { meta: '' });
    expect(await told()).toBe('');
  });

  test('of which two race over two instances have exactly one winner, 1,000 times', async () => {
    const [first, second] = await suite.pair();
    for (let round = 0; round < 1_000; round++) {
      const outcomes = await Promise.all([first.connect(suite.client), second.connect(suite.client)]);
      const winners = outcomes.map(({ outcome }) => outcome).toSorted();
      expect(winners, `round ${round}`).toEqual(['duplicate', 'mine']);
      const owners = [first, second].filter(
        ({ cluster }) => cluster.directory.authority(suite.client) === 'owner',
      );
      expect(owners, `round ${round}`).toHaveLength(1);
      await Promise.all(
        outcomes.map(({ conn }, index) => (index ? second : first).disconnect(suite.client, conn)),
      );
    }
  });

  test('that are released leave nobody', async () => {
    const [asker, owner] = await suite.pair();
    const { conn } = await owner.connect(suite.client);
    await owner.disconnect(suite.client, conn);
    expect(owner.cluster.directory.authority(suite.client)).toBe('frozen');
    await expect(asker.ask(suite.client, 'x')).rejects.toMatchObject({ reason: 'no_owner' });
    expect(await asker.cluster.directory.find([suite.client])).toEqual(new Map());
    expect(await asker.connect(suite.client)).toMatchObject({ outcome: 'mine' });
  });

  test('survive the late release of an older conn', async () => {
    const [first, second] = await suite.pair();
    const old = await first.connect(suite.client);
    first.silent.add(old.conn);
    await second.connect(suite.client);
    await first.disconnect(suite.client, old.conn);
    expect(second.cluster.directory.authority(suite.client)).toBe('owner');
    expect(await first.ask(suite.client, 'still here')).toBe('still here');
  });

  test('of a moving client go to the first that comes, and calls meanwhile are not sent', async () => {
    const [first, second] = await suite.pair();
    const { conn } = await first.connect(suite.client);
    await first.disconnect(suite.client, conn, 30_000);
    expect(first.cluster.directory.authority(suite.client)).toBe('frozen');
    expect(first.cluster.directory.owns(suite.client, conn)).toBe(false);
    await expect(second.ask(suite.client, 'x')).rejects.toMatchObject({ reason: 'unavailable', sent: false });
    const found = await second.cluster.directory.find([suite.client]);
    expect(found.get(suite.client)).toMatchObject({ accountId: testAccount, moving: true });
    expect(await second.connect(suite.client)).toMatchObject({ outcome: 'mine' });
    expect(await first.ask(suite.client, 'moved')).toBe('moved');
  });

  test('of a moving client keep its time when they are released again', async () => {
    const [first, second] = await suite.pair();
    const { conn } = await first.connect(suite.client);
    await first.disconnect(suite.client, conn, 30_000);
    await first.disconnect(suite.client, conn);
    await first.disconnect(suite.client, conn, 1);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await second.cluster.directory.find([suite.client])).get(suite.client)).toMatchObject({
      moving: true,
    });
  });

  test('of a moving client that does not come back end with its time', async () => {
    const [first, second] = await suite.pair();
    const { conn } = await first.connect(suite.client);
    await first.disconnect(suite.client, conn, 50);
    await vi.waitFor(() =>
      expect(second.ask(suite.client, 'x')).rejects.toMatchObject({ reason: 'no_owner', sent: false }),
    );
  });

  test('grow their epoch with each owner', async () => {
    const [first, second] = await suite.pair();
    const epochs: number[] = [];
    for (const instance of [first, second, first, second]) {
      const claimed = await instance.connect(suite.client);
      if (claimed.outcome === 'mine') epochs.push(claimed.epoch);
      await instance.disconnect(suite.client, claimed.conn);
    }
    expect(epochs).toHaveLength(4);
    expect(epochs).toEqual([...new Set(epochs)].toSorted((a, b) => a - b));
  });

  test('end with their instance', async () => {
    const [first, second] = await suite.pair();
    await first.connect(suite.client);
    await first.cluster.stop();
    await expect(second.ask(suite.client, 'x')).rejects.toMatchObject({ reason: 'no_owner', sent: false });
    expect(await second.connect(suite.client)).toMatchObject({ outcome: 'mine' });
  });

  test('are found from any instance, among many', async () => {
    const [first, second] = await suite.pair();
    const clients = Array.from({ length: 1_200 }, (_, index) => `${suite.client}-${index}`);
    const online = clients.filter((_, index) => index % 100 === 0);
    await Promise.all(online.map((one, index) => (index % 2 ? first : second).connect(one)));
    const found = await first.cluster.directory.find(clients);
    expect([...found.keys()].toSorted()).toEqual(online.toSorted());
    expect(found.get(online[1] ?? '')).toEqual({
      clientId: online[1],
      accountId: testAccount,
      meta: 'about it',
      moving: false,
    });
  });
}
