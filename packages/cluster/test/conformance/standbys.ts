import { expect, test, vi } from 'vitest';
import { maxStandbys } from '../../src/cluster.ts';
import { failureOf, testAccount } from './fleet.ts';
import type { Suite, TestInstance } from './fleet.ts';

const soon = { timeout: 10_000, interval: 2 };
const channel = 'chat';

/** Promises to sockets that wait for a client. */
export function describeStandbys(suite: Suite): void {
  const ownersOf = (instances: readonly TestInstance[]): TestInstance[] =>
    instances.filter(({ cluster }) => cluster.directory.authority(suite.client) === 'owner');

  test('are listed by any instance with what they said, the longest waiting first, and no longer than they wait', async () => {
    const [first, second] = await suite.pair();
    await first.connect(suite.client);
    const one = await second.wait(suite.client, { meta: 'Ada’s laptop' });
    const other = await first.wait(suite.client);
    const list = async () => (await first.cluster.standbys.find([suite.client, 'another'])).get(suite.client);
    expect(await list()).toMatchObject([
      { conn: one.conn, boot: second.cluster.boot, accountId: testAccount, meta: 'Ada’s laptop' },
      { conn: other.conn, boot: first.cluster.boot, meta: 'a standby' },
    ]);
    first.cluster.standbys.leave(suite.client, other.conn);
    await expect.poll(list, soon).toMatchObject([{ conn: one.conn }]);
    await second.cluster.stop();
    await expect.poll(list, soon).toBeUndefined();
  });

  test('are five at most, over all instances, and one that left makes room', async () => {
    const instances = await suite.pair();
    const outcomes = [];
    for (let count = 0; count <= maxStandbys; count++) {
      outcomes.push(await instances[count % 2]!.wait(suite.client));
    }
    expect(outcomes.map(({ outcome }) => outcome)).toEqual([...Array(maxStandbys).fill('waiting'), 'full']);
    instances[0].cluster.standbys.leave(suite.client, outcomes[0]!.conn);
    await vi.waitFor(
      async () => expect((await instances[1].wait(suite.client)).outcome).toBe('waiting'),
      soon,
    );
  });

  test('that vanished make room where the list is full, on whatever instance they waited, and the others stay', async () => {
    const instances = await suite.pair();
    const waiting = [];
    for (let count = 0; count < maxStandbys; count++)
      waiting.push(await instances[count % 2]!.wait(suite.client));
    const [one, other, ...staying] = waiting.map(({ conn }) => conn) as [string, string, ...string[]];
    instances[0].silent.add(one);
    instances[1].silent.add(other);
    const late = await Promise.all([instances[1].wait(suite.client), instances[0].wait(suite.client)]);
    expect(late.map(({ outcome }) => outcome)).toEqual(['waiting', 'waiting']);
    const evicted = instances.map(
      (instance) => new Set(instance.evicted.map(({ conn, why }) => `${conn} ${why}`)),
    );
    expect(evicted).toEqual([new Set([`${one} silent`]), new Set([`${other} silent`])]);
    expect((await instances[0].wait(suite.client)).outcome).toBe('full');
    const list = (await instances[0].cluster.standbys.find([suite.client])).get(suite.client);
    expect(list?.map(({ conn }) => conn).toSorted()).toEqual(
      [...staying, ...late.map(({ conn }) => conn)].toSorted(),
    );
  });

  test('change nothing while the owner lives, nor does a try to succeed it', async () => {
    const [owner, other] = await suite.pair();
    const { conn } = await owner.connect(suite.client);
    owner.silent.add(conn);
    const waiting = await other.wait(suite.client);
    const claim = { clientId: suite.client, conn: waiting.conn, accountId: testAccount, meta: '' };
    expect(await other.cluster.standbys.succeed(claim)).toMatchObject({ outcome: 'duplicate' });
    expect([other.promoted, owner.evicted]).toEqual([[], []]);
    expect(ownersOf([owner, other])).toEqual([owner]);
  });

  test('of which several wait on three instances, one serves when the owner leaves, 20 times', async () => {
    const instances = await suite.start(3);
    let [serving] = instances as [TestInstance, ...TestInstance[]];
    let { conn } = await serving.connect(suite.client);
    for (let round = 0; round < 20; round++) {
      const asked = instances[round % 3]!;
      while ((await asked.wait(suite.client)).outcome === 'waiting');
      await serving.cluster.standbys.vacate(suite.client, conn, { isWhole: true });
      await vi.waitFor(() => expect(ownersOf(instances), `round ${round}`).toHaveLength(1), soon);
      const before = conn;
      [serving] = ownersOf(instances) as [TestInstance];
      expect(await asked.ask(suite.client, `round ${round}`)).toBe(`round ${round}`);
      conn = serving.delivered.at(-1)!.conn;
      expect(conn).not.toBe(before);
    }
  });

  test.each([0, 1])('hear that the owner released its client (on instance %i)', async (waitingAt) => {
    const instances = await suite.pair();
    const [owner] = instances;
    const { conn } = await owner.connect(suite.client);
    const waiting = await instances[waitingAt]!.wait(suite.client);
    await owner.disconnect(suite.client, conn);
    await vi.waitFor(
      () => expect(instances[waitingAt]!.cluster.directory.owns(suite.client, waiting.conn)).toBe(true),
      { timeout: 900, interval: 2 },
    );
  });

  test('serve when the instance of the owner stops', async () => {
    const [owner, other] = await suite.pair();
    await owner.connect(suite.client);
    const { conn } = await other.wait(suite.client);
    await owner.cluster.stop();
    await vi.waitFor(() => expect(other.cluster.directory.owns(suite.client, conn)).toBe(true), soon);
  });

  test('await a client that is expected back, for a third of its time', async () => {
    const [owner, other] = await suite.pair();
    const first = await owner.connect(suite.client);
    const waiting = await other.wait(suite.client);
    const claim = { clientId: suite.client, conn: waiting.conn, accountId: testAccount, meta: '' };
    await owner.disconnect(suite.client, first.conn, 30_000);
    expect(await other.cluster.standbys.succeed(claim)).toMatchObject({ outcome: 'duplicate' });
    const second = await owner.connect(suite.client);
    expect(second.outcome).toBe('mine');
    await owner.disconnect(suite.client, second.conn, 300);
    await vi.waitFor(() => expect(other.cluster.directory.owns(suite.client, waiting.conn)).toBe(true), soon);
  });

  test('do not keep out the client’s next socket that brings a handover', async () => {
    const [owner, other] = await suite.pair();
    const { conn } = await owner.connect(suite.client);
    await other.wait(suite.client);
    await owner.cluster.directory.offer(suite.client, conn, 'a secret of this offer');
    const next = await owner.connect(suite.client, { handover: 'a secret of this offer' });
    expect(next.outcome).toBe('mine');
    expect(ownersOf([owner, other])).toEqual([owner]);
  });

  test.each([0, 1])(
    'take over from a living owner when a person says so (standby on instance %i)',
    async (at) => {
      const instances = await suite.pair();
      const [owner] = instances;
      const { conn } = await owner.connect(suite.client);
      const finish = Promise.withResolvers<void>();
      owner.answer = ({ body }) => finish.promise.then(() => ({ head: {}, body }));
      const inFlight = instances[1].ask(suite.client, 'in flight');
      await vi.waitFor(() => expect(owner.delivered).toHaveLength(1), soon);
      const waiting = await instances[at]!.wait(suite.client);
      expect(await instances[at]!.takeOver(waiting.conn)).toMatchObject({ outcome: 'mine' });
      expect(owner.evicted).toEqual([{ conn, why: 'handed_over' }]);
      expect(owner.cluster.directory.owns(suite.client, conn)).toBe(false);
      finish.resolve();
      expect(await inFlight).toBe('in flight');
      expect(await instances[1].ask(suite.client, 'to the next')).toBe('to the next');
      expect(instances[at]!.delivered.at(-1)).toMatchObject({ conn: waiting.conn });
    },
  );

  test('do not take over from a socket that is still being let in', async () => {
    const [owner, other] = await suite.pair();
    const { conn } = await owner.connect(suite.client);
    owner.arriving.add(conn);
    const waiting = await other.wait(suite.client);
    expect(await other.takeOver(waiting.conn)).toMatchObject({ outcome: 'duplicate' });
    expect(owner.cluster.directory.owns(suite.client, conn)).toBe(true);
  });

  test('of a running call report its truth: it was sent and its end is unknown', async () => {
    const [owner, other] = await suite.pair();
    const { conn } = await owner.connect(suite.client);
    await other.wait(suite.client);
    const { promise, reject } = Promise.withResolvers<never>();
    owner.answer = () => promise;
    const failure = failureOf(other.ask(suite.client, 'in flight'));
    await vi.waitFor(() => expect(owner.delivered).toHaveLength(1), soon);
    await owner.cluster.standbys.vacate(suite.client, conn, { isWhole: true });
    await vi.waitFor(() => expect(ownersOf([owner, other])).toEqual([other]), soon);
    reject(new Error('its socket closed'));
    expect(await failure).toMatchObject({ reason: 'lost', sent: true });
    expect(other.delivered).toEqual([]);
  });

  test.each([
    ['whole', true, []],
    ['not whole', false, ['gap']],
  ] as const)('go on with the streams of a client that was left %s', async (_what, isWhole, told) => {
    const [owner, other] = await suite.pair();
    const { conn } = await owner.connect(suite.client);
    owner.cluster.streams.open(suite.client, conn, [channel]);
    const following = await other.cluster.streams.follow({ clientId: suite.client, channel });
    const heard: string[] = [];
    following.start((message) =>
      heard.push(message.kind === 'event' ? message.event.toString() : message.kind),
    );
    await vi.waitFor(() => expect(owner.cluster.streams.isWanted(conn, channel)).toBe(true), soon);
    owner.cluster.streams.append(conn, channel, Buffer.from('"before"'));
    await vi.waitFor(() => expect(heard).toContain('"before"'), soon);
    const before = heard.length;
    const next = await other.wait(suite.client);
    await owner.cluster.streams.close(conn, { offline: false });
    await owner.cluster.standbys.vacate(suite.client, conn, { isWhole });
    await vi.waitFor(() => expect(ownersOf([owner, other])).toEqual([other]), soon);
    other.cluster.streams.open(suite.client, next.conn, [channel]);
    other.cluster.streams.append(next.conn, channel, Buffer.from('"after"'));
    await vi.waitFor(() => expect(heard).toContain('"after"'), soon);
    expect(heard.slice(before)).toEqual([...told, '"after"']);
    following.stop();
  });
}
